import { Icon } from '../page/icons';

const CHEVRONS = {
  up: 'm5 12.5 5-5 5 5',
  peek: 'm5 7.5 5 5 5-5',
  full: 'm5 9 5-5 5 5M5 15l5-5 5 5',
  half: 'm5 5 5 5 5-5M5 11l5 5 5-5',
} as const;

/** Raises or lowers the sheet. */
export const HeightIcon = ({ to }: { readonly to: keyof typeof CHEVRONS }) => (
  <Icon>
    <path d={CHEVRONS[to]} />
  </Icon>
);

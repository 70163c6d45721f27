import { Button } from '../ui/controls/Button';
import { type ThemeChoice, themeChoice } from '../ui/theme';
import { AutoIcon, MoonIcon, SunIcon } from './icons';

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = { auto: 'light', light: 'dark', dark: 'auto' };
const ICONS = { auto: AutoIcon, light: SunIcon, dark: MoonIcon };
const NAMES: Readonly<Record<ThemeChoice, string>> = { auto: 'as the system', light: 'light', dark: 'dark' };

export function ThemeSwitch() {
  const choice = themeChoice.value;
  const Icon = ICONS[choice];
  return (
    <Button
      kind="icon"
      label={`Colours: ${NAMES[choice]}. Switch to ${NAMES[NEXT[choice]]}`}
      onClick={() => {
        themeChoice.value = NEXT[choice];
      }}
    >
      <Icon />
    </Button>
  );
}

import { description, license, version } from '../../../../package.json';
import notices from '../../../../THIRD_PARTY_NOTICES.txt?url';
import { Table } from '../../ui/Table';
import { Sheet } from '../page/Sheet';
import './about-sheet.css';

/** Files of the source of this site. The site does not contain them. */
const DOCUMENTS = [
  ['README.md', 'what the page and the library do, and how to start them'],
  ['docs/teaching.md', 'lessons, exercises, homework and links for class'],
  ['docs/links.md', 'each field of a link'],
  ['docs/embedding.md', 'this page inside other pages; examples/ has a page, a slide and a notebook'],
  ['docs/cpp.md, docs/javascript.md', 'the library'],
  ['docs/promises.md', 'what the library guarantees'],
  ['docs/hosting.md', 'this site on your own server'],
  ['CONTRIBUTING.md', 'how to change it'],
  ['LICENSE', 'the license'],
] as const;

export function AboutSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet title="About conv2d playground" onClose={onClose}>
      <div class="about-sheet grid loose">
        <p>{description}.</p>
        <p>
          Version {version}, {license} license. The site contains{' '}
          <a href={notices} target="_blank" rel="noreferrer">
            other works, under their licenses
          </a>
          .
        </p>
        <p>
          What you enter stays on your device. The site requests nothing from other sites and works offline after the
          first visit.
        </p>
        <Table name="about__documents" caption="Documents in the source of this site" headings={[]} rows={DOCUMENTS} />
      </div>
    </Sheet>
  );
}

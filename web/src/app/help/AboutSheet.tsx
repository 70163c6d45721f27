import { description, license, version } from '../../../../package.json';
import notices from '../../../../THIRD_PARTY_NOTICES.txt?url';
import { hasSessionStorage } from '../../persist/browser-storage';
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
          Version {version}, {license} license. It contains{' '}
          <a href={notices} target="_blank" rel="noreferrer">
            other works, under their licenses
          </a>
          .
        </p>
        <p>What you enter stays on your device. {isOneFile() ? <OneFile /> : ONE_SITE}</p>
        <Table name="about__documents" caption="Documents in the source of this site" headings={[]} rows={DOCUMENTS} />
      </div>
    </Sheet>
  );
}

const ONE_SITE = 'The site requests nothing from other sites and works offline after the first visit.';

/** The page in one file has no script with an address. */
const isOneFile = () => document.querySelector('script[type=module][src]') === null;

/** What the page in one file does, and what it cannot do. */
function OneFile() {
  return (
    <>
      This page is one file: it requests nothing and works without a network. It computes on one thread, cannot be
      installed, and does not update itself.
      {!hasSessionStorage() &&
        ' It may store nothing here: settings, progress in lessons and large inputs are lost when you close or reload it.'}
    </>
  );
}

// Saves files as downloads, and opens files that the reader chooses or drops.
import { unlessRefused } from '../session/command-registry';

/**
 * URL of the last download. No event reports when the browser has read it, so the next download
 * revokes it.
 */
let lastUrl: string | null = null;

export function saveFile(name: string, content: Blob): void {
  if (lastUrl !== null) URL.revokeObjectURL(lastUrl);
  lastUrl = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = lastUrl;
  link.download = name;
  link.click();
}

/** Settles with the file that the reader chooses; null if there is none. */
export const pickFile = async (accept: string): Promise<File | null> =>
  (await chosenIn({ accept }))[0] ?? null;

/** Settles with the files of any kind that the reader chooses. */
export const pickFiles = (): Promise<readonly File[]> => chosenIn({ multiple: true });

function chosenIn(settings: { accept?: string; multiple?: boolean }): Promise<readonly File[]> {
  const input = Object.assign(document.createElement('input'), { type: 'file', ...settings });
  return new Promise((resolve) => {
    input.addEventListener('change', () => {
      resolve([...(input.files ?? [])]);
    });
    input.addEventListener('cancel', () => {
      resolve([]);
    });
    input.click();
  });
}

/**
 * Opens files that are dropped anywhere on the page. The root element shows that a file is over the
 * page.
 */
export function followDroppedFiles(openFiles: (files: readonly File[]) => Promise<void>): void {
  const root = document.documentElement;
  const hasFile = ({ dataTransfer: data }: DragEvent) => data?.types.includes('Files') ?? false;
  addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    root.dataset.fileOver = '';
  });
  addEventListener('dragleave', (event) => {
    // Between two elements of the page, `relatedTarget` is the next one.
    if (event.relatedTarget === null) delete root.dataset.fileOver;
  });
  addEventListener('drop', (event) => {
    delete root.dataset.fileOver;
    if (!hasFile(event)) return;
    event.preventDefault();
    const files = [...event.dataTransfer!.files];
    void unlessRefused(() => openFiles(files));
  });
}

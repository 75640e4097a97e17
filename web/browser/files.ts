// Files of the reader's device: saved by a download, opened by choosing or dropping.
import { unlessRefused } from '../session/command-registry';
import type { Session } from '../session/session';

/** Of the last download: nobody tells when a browser has read it, so it is let go of at the next one. */
let last_url: string | null = null;

export function saveFile(name: string, content: Blob): void {
  if (last_url !== null) URL.revokeObjectURL(last_url);
  last_url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = last_url;
  link.download = name;
  link.click();
}

/** Settles with the file that the reader chooses, or with null if none is chosen. */
export function pickFile(accept: string): Promise<File | null> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  return new Promise((resolve) => {
    input.addEventListener('change', () => {
      resolve(input.files?.[0] ?? null);
    });
    input.addEventListener('cancel', () => {
      resolve(null);
    });
    input.click();
  });
}

/** A run result that is dropped anywhere on the page is opened. The root element says when one hangs over it. */
export function followDroppedFiles(session: Session): void {
  const root = document.documentElement;
  const hasFile = ({ dataTransfer: data }: DragEvent) => data?.types.includes('Files') ?? false;
  addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    root.dataset.fileOver = '';
  });
  addEventListener('dragleave', (event) => {
    // Between two elements of the page there is one to go to.
    if (event.relatedTarget === null) delete root.dataset.fileOver;
  });
  addEventListener('drop', (event) => {
    delete root.dataset.fileOver;
    if (!hasFile(event)) return;
    event.preventDefault();
    const files = [...event.dataTransfer!.files];
    void unlessRefused(() => session.files.openDroppedFiles(files));
  });
}

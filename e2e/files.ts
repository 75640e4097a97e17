// Helpers for tests that drop files on the page.
import { expect, type Page } from '@playwright/test';

/** Drops a file on the page. While the file hovers, the page must offer to open it. */
export async function dropFile(page: Page, name: string, content: string | number[]): Promise<void> {
  const data = await page.evaluateHandle(
    ([file, given]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([typeof given === 'string' ? given : new Uint8Array(given)], file));
      return transfer;
    },
    [name, content] as const,
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await expect(page.locator('html')).toHaveAttribute('data-file-over', '');
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  await expect(page.locator('html')).not.toHaveAttribute('data-file-over');
}

// Draws charts as files. Draws SVG in the page's light colors on white; for PNG, the browser
// renders that drawing.
import type { Palette, PictureContent } from './picture-frame';
import { pictureSvg, type PictureSvg } from './picture-svg';

export type PictureDrawer = (content: PictureContent, format: 'svg' | 'png') => Promise<Blob>;

/** Pixels of the image per unit of the drawing. */
const PIXELS = 2;

export const drawPicture: PictureDrawer = async (content, format) => {
  const drawn = withPalette((palette) => pictureSvg(content, palette));
  if (format === 'svg') return new Blob([drawn.svg], { type: 'image/svg+xml' });
  return rasterized(drawn);
};

function withPalette<Result>(use: (palette: Palette) => Result): Result {
  const probe = document.createElement('span');
  probe.hidden = true;
  probe.style.colorScheme = 'light';
  document.body.append(probe);
  try {
    return use((property) => {
      probe.style.color = `var(${property})`;
      return getComputedStyle(probe).color;
    });
  } finally {
    probe.remove();
  }
}

async function rasterized({ svg, width, height }: PictureSvg): Promise<Blob> {
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * PIXELS;
  canvas.height = height * PIXELS;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('This browser could not create the image.'));
      else resolve(blob);
    }, 'image/png'),
  );
}

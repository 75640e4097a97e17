// npm run release: builds what is missing and writes the npm package to release/. Publishes nothing.
import { statSync } from 'node:fs';
import { relative } from 'node:path';

import { readArguments } from '../command-line.mjs';
import { makeNpmPackage } from '../npm-package.mjs';
import { repository } from '../processes.mjs';

const MB = 1e6;
const inMb = (bytes) => `${(bytes / MB).toFixed(2)} MB`;

export async function main(args) {
  readArguments(args, {});
  const { tarball, unpackedBytes, files } = await makeNpmPackage();
  const { size } = statSync(tarball);
  console.log(
    `${relative(repository, tarball)}: ${inMb(size)} packed, ${inMb(unpackedBytes)} unpacked, ${files} files`,
  );
}

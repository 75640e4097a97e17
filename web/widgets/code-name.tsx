import { Fragment } from 'react';

/**
 * Renders a name from the source, which may break after its words: fil_space_get_version,
 * fil_system->mutex.
 */
export function CodeName({ name }: { name: string }) {
  const words = name.split(/(?<=_|::|->|,)(?=.)/);
  return words.map((word, index) => (
    <Fragment key={index}>
      {word}
      <wbr />
    </Fragment>
  ));
}

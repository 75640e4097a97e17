import { Fragment } from 'react';

/** A name from the source, which may break where its words end: fil_space_get_version, fil_system->mutex. */
export function CodeName({ name }: { name: string }) {
  const words = name.split(/(?<=_|::|->|,)(?=.)/);
  return words.map((word, index) => (
    <Fragment key={index}>
      {word}
      <wbr />
    </Fragment>
  ));
}

/** What a reader's own machine would have: the measured file `text`, on 64 cores of a newer version. */
export function asOnALargeMachine(text: string): string {
  const document = JSON.parse(text) as { server: { version: string }; machine: { cores: number } };
  document.server.version = '9.9.1';
  document.machine.cores = 64;
  return JSON.stringify(document);
}

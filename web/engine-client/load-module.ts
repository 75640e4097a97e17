// Loads the module of a compiled engine, and says which file is at fault if it does not load.

type CreateEngine = (hooks: object) => Promise<unknown>;

interface Loading {
  createEngine: CreateEngine;
  /** Where the module's WebAssembly file is. */
  address: string;
  /** Called if the loaded module aborts. */
  onAbort: (reason: unknown) => void;
  hooks?: object;
}

/** Rejects with an Error whose message names the WebAssembly file if that is missing or damaged. */
export async function loadModule({ createEngine, address, onAbort, hooks = {} }: Loading): Promise<unknown> {
  let is_loaded = false;
  let aborted: unknown = null;
  try {
    const module = await createEngine({
      ...hooks,
      onAbort: (reason: unknown) => {
        if (is_loaded) onAbort(reason);
        else aborted = reason;
      },
    });
    is_loaded = true;
    return module;
  } catch (error) {
    const is_whole = await isWebAssembly(address);
    throw new Error(is_whole ? abortedText(aborted ?? error) : `${fileAt(address)} is missing or damaged`);
  }
}

export const abortedText = (reason: unknown) => `aborted: ${String(reason)}`;

/** The browser does not say why it could not compile a file, so the file is fetched once more. */
async function isWebAssembly(address: string): Promise<boolean> {
  const response = await fetch(address).catch(() => null);
  const content = response?.ok ? await response.arrayBuffer().catch(() => null) : null;
  return content !== null && WebAssembly.validate(content);
}

/** The file below the page's folder, such as `assets/engine.wasm`. */
const fileAt = (address: string) => new URL(address).pathname.split('/').slice(-2).join('/');

// The usage of `latchscope serve`, which `latchscope --help` prints too.

/** The browser stores a reader's runs by port, so the same one is preferred. */
export const PORT_PREFERRED = 4173;

export const SERVE_USAGE = `latchscope [serve] [--port N] [--open]
    serves the page on this machine
    --port   the port; 0 selects a free one; default: ${PORT_PREFERRED}, or a free one if it is in use
    --open   opens the page in a browser
Exit code 1: the page cannot be served; 2: bad usage, or the port is in use.
`;

// Writes workload files at random, with everything the language has, and a run of each. A number
// gives the same file on every machine.
import { workloadLanguage } from '../../tools/workload-language.mjs';

const LAB_LATCHES = ['mcs', 'ticket-futex', 'spin-then-futex', 'futex-drepper', 'clh', 'tas-yield'];

const OWN_KINDS = `kind own {
  word state;
  void enter() { while (compare_exchange(state, 0, 1) != 0) futex_wait(state, 1); }
  void exit() { store(state, 0); fence(); futex_wake(state, 1); }
}
kind own_rw {
  const WRITER = 0x10000;
  word state;
  void enter() { while (compare_exchange(state, 0, WRITER) != 0) yield(); }
  void exit() { fetch_sub(state, WRITER); }
  void enter_shared() {
    while (fetch_add(state, 1) >= WRITER) { fetch_sub(state, 1); yield(); }
  }
  void exit_shared() { fetch_sub(state, 1); }
}
`;

const FUNCTIONS = `latch LOCK_jobs : pthread_mutex;
condition job_came;
condition done[2];
queue jobs[8];
barrier both_in(2);
void touch(uint at, duration d) { store(each[at % 4], at); work(d); }
uint mixed(uint a) { if (a > 40) { return a % 9; } return a ^ 5; }
duration half(duration d) { return d / 2; }
size double(size s) { return s * 2; }
`;

/** Numbers that depend on the seed alone (xorshift32). */
class Draws {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
    for (let i = 0; i < 8; i += 1) this.below(2);
  }

  /** @param {number} count */
  below(count) {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return Math.floor((this.#state / 2 ** 32) * count);
  }

  /**
   * @param {number} min
   * @param {number} max
   */
  from(min, max) {
    return min + this.below(max - min + 1);
  }

  /** @param {number} percent */
  isBelow(percent) {
    return this.below(100) < percent;
  }

  /**
   * @template Item
   * @param {readonly Item[]} items
   * @returns {Item}
   */
  one(items) {
    return items[this.below(items.length)];
  }
}

/** What a body may use. */
class Body {
  /** @type {string[]} numbers that can be read */
  uints = ['me', 'index', 'threads'];
  /** @type {string[]} */
  assignable = [];
  names = 0;
  depth = 0;
  /** Latches are taken in the order of their declarations, so that no circle can close. */
  lastHeld = -1;
  held = 0;
  loops = 0;

  /** @param {{ mayReturn: boolean, isTransaction?: boolean, prefix?: string }} of */
  constructor(of) {
    this.of = of;
  }

  newName() {
    this.names += 1;
    return `${this.of.prefix ?? 'v'}_${this.names}`;
  }

  /**
   * Writes what `write` returns with more names, latches or loops, which end there.
   * @param {Partial<Pick<Body, 'lastHeld' | 'held' | 'loops'>>} change
   * @param {() => string} write
   */
  inside(change, write) {
    const { uints, assignable, depth, lastHeld, held, loops } = this;
    Object.assign(this, {
      uints: [...uints],
      assignable: [...assignable],
      depth: depth + 1,
      ...change,
    });
    const written = write();
    Object.assign(this, { uints, assignable, depth, lastHeld, held, loops });
    return written;
  }
}

class Writer {
  /** @type {{ name: string, elements: string | null, isShared: boolean, canBeTried: boolean }[]} */
  latches = [];
  /** @type {{ name: string, elements: string | null }[]} */
  words = [];
  /** @type {string[]} */
  counters = [];
  /** @type {string[]} */
  devices = [];
  parts = 0;
  /** @type {{ id: string, variants: string[] }[]} */
  knobs = [];
  /** @type {string[]} */
  actions = [];
  /** @type {{ id: string, min: number, max: number }[]} in microseconds */
  parameters = [];
  /** @type {string[]} */
  durations = ['BASE'];

  /** @param {Draws} draws */
  constructor(draws) {
    this.draws = draws;
  }

  source(seed) {
    const { draws } = this;
    const head = [
      `workload "generated ${seed}";`,
      draws.isBelow(50) ? 'unit "requests";' : '',
      'const BASE = 250ns; const RARE = 3pct; const FEW = 2;',
      OWN_KINDS,
      ...this.parametersAndKnobs(),
      ...this.declareLatches(),
      ...this.declareWords(),
      ...this.declareOthers(),
      FUNCTIONS,
    ];
    const clients = draws.from(1, 24);
    const groups = [
      this.clients(clients),
      ...this.otherGroups(),
      draws.isBelow(70) ? this.checksAtEnd() : '',
    ];
    return { clients, source: [...head, ...groups, ''].filter((line) => line !== '').join('\n') };
  }

  parametersAndKnobs() {
    const { draws } = this;
    const lines = [];
    for (let i = 0; i < draws.from(0, 2); i += 1) {
      const [min, usual, max] = [draws.from(1, 3), draws.from(4, 12), draws.from(13, 40)];
      lines.push(`param time_${i} = ${usual}us from ${min}us to ${max}us "time ${i}";`);
      this.parameters.push({ id: `time_${i}`, min, max });
      this.durations.push(`time_${i}`);
    }
    lines.push('param request_every = 15us from 10us to 50us;');
    lines.push('param request = 16KiB from 4KiB to 64KiB;');
    const kinds = [0, 1].map(() => this.kind(false).text);
    lines.push(`knob lock "Which lock?" { one = ${kinds[0]} "today"; other = ${kinds[1]}; }`);
    lines.push(`knob shards { few = ${draws.from(1, 3)}; many = FEW * ${draws.from(2, 8)}; }`);
    lines.push('knob layout "On how many lines?" { packed; apart "a line each"; }');
    this.knobs.push(
      { id: 'lock', variants: ['one', 'other'] },
      { id: 'shards', variants: ['few', 'many'] },
      { id: 'layout', variants: ['packed', 'apart'] },
    );
    if (draws.isBelow(50)) lines.push('design mixed { shards = many; }');
    return lines;
  }

  /** @param {boolean} isShared */
  kind(isShared) {
    const { draws } = this;
    const n = draws.from(1, 6);
    const withReaders = ['innodb_rw_lock', `sharded_rw_lock(${n})`, 'none', 'own_rw'];
    const without = ['innodb_mutex', 'pthread_mutex', `semaphore(${n})`, 'own'];
    const isOfLab = !isShared && draws.isBelow(20);
    const text = isOfLab ? `"${draws.one(LAB_LATCHES)}"` : draws.one(isShared ? withReaders : without);
    return { text, isOfEngine: !text.startsWith('"') && !text.startsWith('own') };
  }

  declareLatches() {
    const { draws } = this;
    this.latches.push({ name: 'by_knob', elements: null, isShared: false, canBeTried: false });
    const lines = ['latch by_knob : lock;'];
    for (let i = 0; i < draws.from(1, 5); i += 1) {
      const isShared = draws.isBelow(40);
      const kind = this.kind(isShared);
      const elements = draws.isBelow(40) ? draws.one(['shards', 'FEW', '5']) : null;
      const name = `latch_${i}`;
      lines.push(`latch ${name}${elements === null ? '' : `[${elements}]`} : ${kind.text};`);
      this.latches.push({ name, elements, isShared, canBeTried: kind.isOfEngine });
    }
    return lines;
  }

  declareWords() {
    const { draws } = this;
    const add = (...words) => this.words.push(...words);
    add({ name: 'alone', elements: null }, { name: 'each', elements: '4' });
    const lines = ['word alone; word each[4];', 'word tick;'];
    if (draws.isBelow(60)) {
      lines.push('line { word head; word tail = 7; }');
      add({ name: 'head', elements: null }, { name: 'tail', elements: null });
    }
    if (draws.isBelow(60)) {
      lines.push('line if (layout == packed) { word pair_a; word pair_b[1]; }');
      add({ name: 'pair_a', elements: null }, { name: 'pair_b', elements: '1' });
    }
    if (draws.isBelow(40)) {
      lines.push('line { word on_one_line[4]; }');
      add({ name: 'on_one_line', elements: '4' });
    }
    if (draws.isBelow(60)) {
      lines.push('thread word own_word;');
      add({ name: 'own_word', elements: 'me' });
    }
    return lines;
  }

  declareOthers() {
    const { draws } = this;
    this.counters.push('rounds');
    if (draws.isBelow(50)) this.counters.push('bytes');
    this.devices.push('net');
    const lines = [
      `counter ${this.counters.join('; counter ')};`,
      `device net : network(${draws.from(1, 90)}us);`,
    ];
    for (const kind of ['nvme', 'ssd', 'hdd'])
      if (draws.isBelow(30)) {
        this.devices.push(kind);
        lines.push(`device ${kind} : ${kind};`);
      }
    return lines;
  }

  clients(threads) {
    const { draws } = this;
    const body = new Body({ mayReturn: true, isTransaction: true });
    // Every transaction takes time, so that no loop runs for ever at one moment.
    const first = `in "begin" work(${this.duration(body)} + 100ns);`;
    const before = draws.isBelow(50) ? this.statements(new Body({ mayReturn: false, prefix: 'b' }), 1) : '';
    const arrives = draws.isBelow(30)
      ? draws.one(['arrive(exponential(request_every));', 'arrive(20us);'])
      : '';
    const after = draws.isBelow(60) ? `think(${this.duration(body)});` : '';
    return `thread client[${threads}] {\n${before}\n${arrives}\ntransaction {\n${first}\n${this.statements(body, draws.from(2, 6))}\n}\n${after}\n}`;
  }

  otherGroups() {
    const { draws } = this;
    const body = () => this.statements(new Body({ mayReturn: true }), draws.from(1, 3));
    const groups = [
      'thread ticker every 20us { fetch_add(tick, 1); futex_wake(tick, 1000); signal(job_came); broadcast(done[0]); broadcast(done[1]); }',
      'thread producer every 30us { send(jobs, 3); }',
    ];
    if (draws.isBelow(50))
      groups.push(`thread background[2] { await(both_in); sleep(${draws.from(2, 40)}us);\n${body()}\n}`);
    if (draws.isBelow(50)) groups.push(`thread sometimes every ${draws.from(50, 900)}us {\n${body()}\n}`);
    if (draws.isBelow(50)) groups.push(`thread loader once {\n${body()}\n}`);
    if (draws.isBelow(50)) {
      groups.push(`action drop "DROP" {\n${body()}\ncount(rounds);\n}`);
      this.actions.push('drop');
    }
    return groups;
  }

  checksAtEnd() {
    const isFalse = this.draws.isBelow(10);
    return `at_end {\nuint all = load(alone);\ncheck(all >= 0);\ncheck(counted(rounds) ${isFalse ? '==' : '!='} 123456);\ncheck(counted(transactions) >= 0);\n}`;
  }

  /**
   * @param {Body} body
   * @param {number} count
   */
  statements(body, count) {
    const lines = [];
    for (let i = 0; i < count; i += 1) lines.push(this.statement(body));
    return lines.join('\n');
  }

  /** @param {Body} body */
  block(body, change = {}) {
    return `{\n${body.inside(change, () => this.statements(body, this.draws.from(1, 3)))}\n}`;
  }

  /** @param {Body} body */
  statement(body) {
    const { draws } = this;
    const isDeep = body.depth >= 4;
    const simple = [
      () => `work(${this.duration(body)});`,
      () => `work(exponential(${this.duration(body)}));`,
      () => this.declaration(body),
      () => `work(lognormal(${this.duration(body)}, ${draws.from(1, 300)}pct));`,
      () => this.access(body),
      () => this.access(body),
      () => `count(${draws.one(this.counters)}${draws.isBelow(50) ? `, ${this.uint(body)} % 9` : ''});`,
      () => `touch(${this.uint(body)}, ${this.duration(body)});`,
      () => draws.one(['pause();', `pause(${draws.from(1, 9)});`, 'yield();', 'fence();']),
      () => `check(${draws.isBelow(1) ? 'uniform(900) != 7' : `${this.uint(body)} >= 0`});`,
    ];
    if (body.assignable.length > 0) simple.push(() => `${draws.one(body.assignable)} = ${this.uint(body)};`);
    if (body.held === 0) {
      simple.push(
        () => `io(${draws.one(this.devices)}, ${this.size(body)});`,
        () => `sleep(${this.duration(body)});`,
        () => 'futex_wait(tick, load(tick));',
        () =>
          `hold LOCK_jobs { if (${this.condition(body)}) wait(${draws.one(['job_came', 'done[me % 2]'])}); }`,
        () => `if (chance(RARE)) { uint ${body.newName()} = receive(jobs); }`,
      );
    }
    if (body.loops > 0)
      simple.push(() => `if (${this.condition(body)}) ${draws.one(['break', 'continue'])};`);
    if (body.of.isTransaction && body.held === 0)
      simple.push(() => `if (chance(RARE)) { led_by(${this.uint(body)}); sleep(BASE); led_by(0); }`);
    if (body.of.mayReturn) simple.push(() => 'if (chance(RARE)) return;');
    const nested = [
      () => this.hold(body),
      () => this.hold(body),
      () => this.hold(body),
      () => `in "part_${(this.parts = (this.parts + 1) % 40)}" ${this.block(body)}`,
      () =>
        `if (${this.condition(body)}) ${this.block(body)}${draws.isBelow(50) ? ` else ${this.block(body)}` : ''}`,
      () =>
        `repeat (${draws.isBelow(50) ? draws.from(0, 3) : `${this.uint(body)} % 3`}) ${this.block(body, { loops: body.loops + 1 })}`,
      () => this.whileLoop(body),
    ];
    return !isDeep && draws.isBelow(55) ? draws.one(nested)() : draws.one(simple)();
  }

  /** @param {Body} body */
  whileLoop(body) {
    const name = body.newName();
    const written = body.inside({ loops: body.loops + 1 }, () => {
      body.uints.push(name);
      return this.statements(body, 2);
    });
    return `{ uint ${name} = 0; while (${name} < ${this.draws.from(1, 3)}) {\n${name} = ${name} + 1;\n${written}\n} }`;
  }

  /** @param {Body} body */
  hold(body) {
    const { draws } = this;
    const next = draws.from(body.lastHeld + 1, this.latches.length);
    const latch = this.latches[next];
    if (latch === undefined) return `work(${this.duration(body)});`;
    const { name, elements, isShared, canBeTried } = latch;
    const place =
      elements === null
        ? name
        : `${name}[${draws.isBelow(50) ? `uniform(${elements})` : `${this.uint(body)} % ${elements}`}]`;
    const how = isShared ? draws.one(['shared', 'exclusive']) : 'hold';
    const change = { lastHeld: next, held: body.held + 1 };
    if (canBeTried && draws.isBelow(25))
      return `try ${how} ${place} ${this.block(body, change)} else ${this.block(body)}`;
    const part = draws.isBelow(50) ? `in "take_${name}" ` : '';
    return `${part}${how} ${place} ${this.block(body, change)}`;
  }

  /** @param {Body} body */
  declaration(body) {
    const { draws } = this;
    const name = body.newName();
    const value = draws.one([
      () => this.uint(body),
      () => `uniform(${draws.from(1, 50)})`,
      () => `zipf(${draws.from(1, 50)}, ${draws.one(['50pct', '99pct', '150pct'])})`,
      () => `${this.duration(body)} / 3ns`,
      () => `${this.size(body)} / 512B`,
      () => this.reading(body),
    ])();
    body.uints.push(name);
    body.assignable.push(name);
    return draws.isBelow(20) ? `in "draw" uint ${name} = ${value};` : `uint ${name} = ${value};`;
  }

  /** @param {Body} body */
  word(body) {
    const { name, elements } = this.draws.one(this.words);
    if (elements === null) return name;
    return elements === 'me' ? `${name}[me]` : `${name}[${this.uint(body)} % ${elements}]`;
  }

  /** @param {Body} body */
  reading(body) {
    const { draws } = this;
    return draws.one([
      () => `load(${this.word(body)})`,
      () => `exchange(${this.word(body)}, ${this.uint(body)})`,
      () => `compare_exchange(${this.word(body)}, ${draws.below(3)}, ${this.uint(body)})`,
      () => `fetch_${draws.one(['add', 'sub', 'and', 'or', 'xor'])}(${this.word(body)}, ${this.uint(body)})`,
      () => `futex_wake(${this.word(body)}, ${draws.from(0, 3)})`,
    ])();
  }

  /** @param {Body} body */
  access(body) {
    if (this.draws.isBelow(40)) return `store(${this.word(body)}, ${this.uint(body)});`;
    const name = body.newName();
    const read = this.reading(body);
    body.uints.push(name);
    return `uint ${name} = ${read};`;
  }

  /** @param {Body} body @returns {string} */
  uint(body, depth = 0) {
    const { draws } = this;
    if (depth >= 2 || draws.isBelow(45))
      return draws.isBelow(60) ? draws.one(body.uints) : String(draws.one([0, 1, 3, 17, 0xffffffff]));
    const [a, b] = [this.uint(body, depth + 1), this.uint(body, depth + 1)];
    return draws.one([
      `(${a} + ${b})`,
      `(${a} - ${b})`,
      `(${a} * ${b})`,
      `(${a} / ${draws.from(1, 9)})`,
      `(${a} % ${draws.from(1, 9)})`,
      `(${a} ${draws.one(['&', '|', '^'])} ${b})`,
      `(${a} ${draws.one(['<<', '>>'])} ${draws.from(0, 33)})`,
      `(${a} ${draws.one(['<', '<=', '==', '!=', '>', '>='])} ${b})`,
      '(shards + 0)',
      `mixed(${a})`,
    ]);
  }

  /** At most a tenth of a millisecond. @param {Body} body */
  duration(body) {
    const { draws } = this;
    const some = () => draws.one([...this.durations, `${draws.from(10, 900)}ns`]);
    return draws.one([
      () => some(),
      () => `(${some()} + ${some()})`,
      () => `(${some()} - ${some()})`,
      () => `${some()} * (${this.uint(body)} % 3)`,
      () => `${some()} / ${draws.from(1, 5)}`,
      () => `half(${some()})`,
    ])();
  }

  /** @param {Body} body */
  size(body) {
    return this.draws.one([
      '4KiB',
      'request',
      '(request + 1KiB)',
      'double(request)',
      `4KiB * (${this.uint(body)} % 5)`,
    ]);
  }

  /** @param {Body} body */
  condition(body) {
    const { draws } = this;
    const knob = draws.one(this.knobs);
    return draws.one([
      () => `chance(${draws.from(1, 99)}pct)`,
      () => `${knob.id} ${draws.one(['==', '!='])} ${draws.one(knob.variants)}`,
      () => `${this.uint(body)} < ${this.uint(body)}`,
      () => `${this.duration(body)} < ${this.duration(body)}`,
      () => `chance(RARE) ${draws.one(['&&', '||'])} ${this.uint(body)} != 0`,
    ])();
  }

  /** A run spec for the file, without its workload. */
  spec(seed, clients) {
    const { draws } = this;
    const durationS = draws.from(5, 40) / 10_000;
    const steps = Array.from({ length: draws.below(5) }, () => {
      const atS = (durationS * draws.from(0, 1000)) / 1000;
      const { id, variants } = draws.one(this.knobs);
      return this.actions.length > 0 && draws.isBelow(50)
        ? { at_s: atS, action: draws.one(this.actions) }
        : { at_s: atS, knob: id, variant: draws.one(variants) };
    });
    return {
      version: 1,
      platform: 'virtual',
      seed: seed + 1,
      threads: draws.isBelow(50) ? clients : draws.from(1, 32),
      server: draws.one(['server-2025', 'epyc-cloud-2025', 'snb-ep-2013', 'ideal-machine']),
      duration_s: durationS,
      interval_s: 0.001,
      events_max: 30_000,
      design: draws.one(['original', 'fixed']),
      parameters: Object.fromEntries(this.parameters.map(({ id, min, max }) => [id, draws.from(min, max)])),
      actions: steps.sort((one, other) => one.at_s - other.at_s),
    };
  }
}

/**
 * @param {number} seed a whole number from 0
 * @returns {Promise<{ workload: { source: string, program: any } } & Record<string, unknown>>} a run
 *   spec with a compiled workload file
 */
export async function generatedRun(seed) {
  const writer = new Writer(new Draws(seed));
  const { source, clients } = writer.source(seed);
  const { compileWorkload } = await workloadLanguage();
  const { program, errors } = compileWorkload(source);
  if (program === undefined) throw new Error(`${JSON.stringify(errors)}\n${source}`);
  return { ...writer.spec(seed, clients), scenario: 'workload', workload: { source, program } };
}

// Declares the compiler's form of a source: without brackets and separators, each part with its place.

/** A range of the source; `to` is exclusive. */
export interface Place {
  from: number;
  to: number;
}

export interface NameUse extends Place {
  kind: 'name';
  name: string;
}

export interface Indexed extends Place {
  kind: 'indexed';
  name: NameUse;
  index: Expression;
}

export interface Call extends Place {
  kind: 'call';
  callee: NameUse;
  given: Expression[];
}

export interface Unary extends Place {
  kind: 'unary';
  operator: string;
  operand: Expression;
}

export interface Binary extends Place {
  kind: 'binary';
  operator: string;
  left: Expression;
  right: Expression;
}

/** Includes `x += value` and `x++`, which the language does not have. */
export interface Assignment extends Place {
  kind: 'assignment';
  operator: string;
  target: Expression;
  value: Expression | undefined;
}

interface Digits extends Place {
  kind: 'number';
  text: string;
}

export type Expression = Digits | NameUse | Indexed | Call | Unary | Binary | Assignment;

export interface Named extends Place {
  name: string;
}

export interface Local extends Place {
  kind: 'local';
  type: Named;
  named: Named;
  initial: Expression | undefined;
}

export interface Block extends Place {
  kind: 'block';
  statements: Statement[];
}

export type Statement =
  | Block
  | Local
  | (Place & { kind: 'if'; condition: Expression; then: Statement; otherwise: Statement | undefined })
  | (Place & { kind: 'while'; condition: Expression; body: Statement })
  | (Place & { kind: 'for' | 'break' | 'continue' | 'empty' })
  | (Place & { kind: 'return'; value: Expression | undefined })
  | WorkloadStatement
  | (Place & { kind: 'expression'; expression: Expression });

/** Statements that belong to workloads. */
export type WorkloadStatement =
  | (Place & { kind: 'transaction'; body: Block })
  | (Place & { kind: 'in'; named: Named; body: Statement })
  | HoldNode
  | (Place & { kind: 'repeat'; count: Expression; body: Statement });

export interface HoldNode extends Place {
  kind: 'hold' | 'try';
  mode: Named;
  latch: NameUse | Indexed;
  body: Block;
  /** Of `try`. */
  otherwise: Statement | undefined;
}

export interface WordNode extends Place {
  kind: 'word';
  ofThreads: boolean;
  named: Named;
  size: Expression | undefined;
  initial: Expression | undefined;
}

export interface LineNode extends Place {
  kind: 'line';
  ofThreads: boolean;
  words: WordNode[];
  /** `line if (…)`, which belongs to workloads: when the words share the line. */
  condition: Expression | undefined;
}

export type Declaration =
  | WordNode
  | LineNode
  | (Place & { kind: 'constant'; named: Named; value: Expression })
  | (Place & { kind: 'threads'; most: Expression });

export interface FunctionNode extends Place {
  type: Named;
  named: Named;
  body: Block;
}

export interface Latch {
  declarations: Declaration[];
  functions: FunctionNode[];
}

/** A value that a function takes. */
export interface TakenNode {
  type: Named;
  named: Named;
}

/** A function of a workload. */
export interface OwnFunctionNode extends FunctionNode {
  kind: 'function';
  taken: TakenNode[];
}

/** A number, or the kind of a latch: an expression or a quoted name. */
export interface KindNode extends Place {
  expression: Expression | undefined;
  quoted: Named | undefined;
}

export interface VariantNode extends Place {
  named: Named;
  value: KindNode | undefined;
  origin: Named | undefined;
}

/** When threads without transactions run their body; absent: again and again. */
export type Schedule = (Place & { kind: 'every'; period: Expression }) | (Place & { kind: 'once' });

export interface GroupNode extends Place {
  kind: 'group';
  named: Named;
  size: Expression | undefined;
  schedule: Schedule | undefined;
  body: Block;
}

export interface ActionNode extends Place {
  kind: 'action';
  named: Named;
  size: Expression | undefined;
  title: Named | undefined;
  body: Block;
}

export type PartOf<Kind extends WorkloadPart['kind']> = Extract<WorkloadPart, Record<'kind', Kind>>;

export type WorkloadPart =
  | WordNode
  | LineNode
  | (Place & { kind: 'title' | 'unit'; text: Named })
  | (Place & { kind: 'constant'; named: Named; value: Expression })
  | (Place & {
      kind: 'parameter';
      named: Named;
      value: Expression;
      low: Expression;
      high: Expression;
      title: Named | undefined;
    })
  | (Place & { kind: 'knob'; named: Named; question: Named | undefined; variants: VariantNode[] })
  | (Place & { kind: 'design'; named: Named; settings: { knob: Named; variant: Named }[] })
  | (Place & { kind: 'latch'; named: Named; size: Expression | undefined; latchKind: KindNode })
  | (Place & { kind: 'kind'; named: Named; latch: Latch })
  | OwnFunctionNode
  | (Place & { kind: 'condition'; named: Named; size: Expression | undefined })
  | (Place & { kind: 'queue'; named: Named; size: Expression | undefined })
  | (Place & { kind: 'barrier'; named: Named; threads: Expression | undefined })
  | (Place & { kind: 'counter'; named: Named })
  | (Place & { kind: 'device'; named: Named; deviceKind: Expression })
  | GroupNode
  | ActionNode
  | (Place & { kind: 'at_end'; body: Block });

// Converts Lezer's tree to the compiler's form.
import type { SyntaxNode, Tree } from '@lezer/common';

import type {
  Block,
  Declaration,
  Expression,
  FunctionNode,
  Indexed,
  KindNode,
  Latch,
  LineNode,
  Named,
  NameUse,
  Place,
  Schedule,
  Statement,
  TakenNode,
  VariantNode,
  WordNode,
  WorkloadPart,
} from './syntax-tree.ts';

/** Reads the tree of a workload. REQUIRES: a tree without errors. */
export function readWorkloadTree(tree: Tree, source: string): WorkloadPart[] {
  return new Reader(source).workload(tree.topNode);
}

/** Reads the tree of a latch. REQUIRES: a tree without errors. */
export function readTree(tree: Tree, source: string): Latch {
  return new Reader(source).latch(tree.topNode);
}

const isExpression = /^(Number|Name|Indexed|Call|Parenthesized|Unary|Binary|Assignment|Update)$/;
const isStatement =
  /^(Block|Local|If|While|For|Break|Continue|Return|ExpressionStatement|Empty|Transaction|In|Hold|Try|Repeat)$/;

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (!child.name.endsWith('Comment')) children.push(child);
  return children;
}

class Reader {
  constructor(private readonly source: string) {}

  /** `top` is the root, or a kind of a workload. */
  latch(top: SyntaxNode): Latch {
    const declared = (node: SyntaxNode) => node.name.endsWith('Declaration');
    return {
      declarations: childrenOf(top)
        .filter(declared)
        .map((part) => this.declaration(part)),
      functions: top.getChildren('Function').map((part) => this.functionNode(part)),
    };
  }

  workload(top: SyntaxNode): WorkloadPart[] {
    return childrenOf(top).map((part) => this.workloadPart(part));
  }

  private workloadPart(node: SyntaxNode): WorkloadPart {
    const place = placeOf(node);
    switch (node.name) {
      case 'Title':
      case 'Unit':
        return { ...place, kind: node.name === 'Title' ? 'title' : 'unit', text: this.quoted(node)! };
      case 'ConstantDeclaration':
        return {
          ...place,
          kind: 'constant',
          named: this.named(node, 'ConstantName'),
          value: this.initialOf(node)!,
        };
      case 'Parameter':
        return {
          ...place,
          kind: 'parameter',
          named: this.named(node, 'ParameterName'),
          value: this.initialOf(node)!,
          low: this.expressionsIn(node.getChild('Low')!)[0]!,
          high: this.expressionsIn(node.getChild('High')!)[0]!,
          title: this.quoted(node),
        };
      case 'WordDeclaration':
        return this.word(node);
      case 'LineDeclaration':
        return this.line(node);
      case 'Knob':
        return {
          ...place,
          kind: 'knob',
          named: this.named(node, 'KnobName'),
          question: this.quoted(node),
          variants: node.getChildren('Variant').map((variant) => this.variant(variant)),
        };
      case 'Design':
        return {
          ...place,
          kind: 'design',
          named: this.named(node, 'DesignName'),
          settings: node.getChildren('Setting').map((setting) => ({
            knob: this.named(setting, 'KnobUse'),
            variant: this.named(setting, 'VariantUse'),
          })),
        };
      case 'LatchDeclaration':
        return {
          ...place,
          kind: 'latch',
          named: this.named(node, 'LatchName'),
          size: this.sizeOf(node),
          latchKind: this.kindOf(node)!,
        };
      case 'Kind':
        return { ...place, kind: 'kind', named: this.named(node, 'KindName'), latch: this.latch(node) };
      case 'OwnFunction':
        return { ...this.functionNode(node), kind: 'function', taken: this.taken(node) };
      case 'ConditionDeclaration':
        return {
          ...place,
          kind: 'condition',
          named: this.named(node, 'ConditionName'),
          size: this.sizeOf(node),
        };
      case 'Queue':
        return { ...place, kind: 'queue', named: this.named(node, 'QueueName'), size: this.sizeOf(node) };
      case 'Barrier': {
        const threads = node.getChild('Threads');
        return {
          ...place,
          kind: 'barrier',
          named: this.named(node, 'BarrierName'),
          threads: threads === null ? undefined : this.expressionsIn(threads)[0],
        };
      }
      case 'Counter':
        return { ...place, kind: 'counter', named: this.named(node, 'CounterName') };
      case 'Device':
        return {
          ...place,
          kind: 'device',
          named: this.named(node, 'DeviceName'),
          deviceKind: this.expressionsIn(node.getChild('DeviceKind')!)[0]!,
        };
      case 'Action':
        return {
          ...place,
          kind: 'action',
          named: this.named(node, 'ActionName'),
          size: this.sizeOf(node),
          title: this.quoted(node),
          body: this.block(node.getChild('Block')!),
        };
      case 'AtEnd':
        return { ...place, kind: 'at_end', body: this.block(node.getChild('Block')!) };
      default:
        return {
          ...place,
          kind: 'group',
          named: this.named(node, 'GroupName'),
          size: this.sizeOf(node),
          schedule: this.schedule(node),
          body: this.block(node.getChild('Block')!),
        };
    }
  }

  private taken(node: SyntaxNode): TakenNode[] {
    return node.getChildren('Taken').map((taken) => ({
      type: this.named(taken, 'Type'),
      named: this.named(taken, 'LocalName'),
    }));
  }

  private schedule(node: SyntaxNode): Schedule | undefined {
    const schedule = node.getChild('Schedule');
    if (schedule === null) return undefined;
    const [period] = this.expressionsIn(schedule);
    return period === undefined
      ? { ...placeOf(schedule), kind: 'once' }
      : { ...placeOf(schedule), kind: 'every', period };
  }

  private variant(node: SyntaxNode): VariantNode {
    return {
      ...placeOf(node),
      named: this.named(node, 'VariantName'),
      value: this.kindOf(node),
      origin: this.quoted(node),
    };
  }

  private kindOf(node: SyntaxNode): KindNode | undefined {
    const kind = node.getChild('LatchKind');
    if (kind === null) return undefined;
    return { ...placeOf(kind), expression: this.expressionsIn(kind)[0], quoted: this.quoted(kind) };
  }

  private sizeOf(node: SyntaxNode): Expression | undefined {
    const size = node.getChild('Size');
    return size ? this.expressionsIn(size)[0] : undefined;
  }

  /** Returns the quoted text of a node, without its quotes. */
  private quoted(node: SyntaxNode): Named | undefined {
    const text = node.getChild('String');
    return text ? { ...placeOf(text), name: this.text(text).slice(1, -1) } : undefined;
  }

  private declaration(node: SyntaxNode): Declaration {
    switch (node.name) {
      case 'WordDeclaration':
        return this.word(node);
      case 'LineDeclaration':
        return this.line(node);
      case 'ConstantDeclaration': {
        const value = this.initialOf(node)!;
        return { ...placeOf(node), kind: 'constant', named: this.named(node, 'ConstantName'), value };
      }
      default:
        return { ...placeOf(node), kind: 'threads', most: this.expressionsIn(node)[0]! };
    }
  }

  private line(node: SyntaxNode): LineNode {
    return {
      ...placeOf(node),
      kind: 'line',
      ofThreads: node.getChild('thread') !== null,
      words: node.getChildren('WordDeclaration').map((word) => this.word(word)),
      condition: node.getChild('Condition') === null ? undefined : this.condition(node),
    };
  }

  private word(node: SyntaxNode): WordNode {
    return {
      ...placeOf(node),
      kind: 'word',
      ofThreads: node.getChild('thread') !== null,
      named: this.named(node, 'WordName'),
      size: this.sizeOf(node),
      initial: this.initialOf(node),
    };
  }

  private functionNode(node: SyntaxNode): FunctionNode {
    const named = this.named(node, node.name === 'Function' ? 'FunctionName' : 'OwnFunctionName');
    return {
      ...placeOf(node),
      type: this.named(node, 'Type'),
      named,
      body: this.block(node.getChild('Block')!),
    };
  }

  private block(node: SyntaxNode): Block {
    return { ...placeOf(node), kind: 'block', statements: this.statementsIn(node) };
  }

  private statementsIn(node: SyntaxNode): Statement[] {
    return childrenOf(node)
      .filter(({ name }) => isStatement.test(name))
      .map((child) => this.statement(child));
  }

  private statement(node: SyntaxNode): Statement {
    const place = placeOf(node);
    switch (node.name) {
      case 'Block':
        return this.block(node);
      case 'Local':
        return {
          ...place,
          kind: 'local',
          type: this.named(node, 'Type'),
          named: this.named(node, 'LocalName'),
          initial: this.initialOf(node),
        };
      case 'If': {
        const [then, otherwise] = this.statementsIn(node);
        return { ...place, kind: 'if', condition: this.condition(node), then: then!, otherwise };
      }
      case 'While':
        return {
          ...place,
          kind: 'while',
          condition: this.condition(node),
          body: this.statementsIn(node)[0]!,
        };
      case 'Return':
        return { ...place, kind: 'return', value: this.expressionsIn(node)[0] };
      case 'Transaction':
        return { ...place, kind: 'transaction', body: this.block(node.getChild('Block')!) };
      case 'In':
        return { ...place, kind: 'in', named: this.quoted(node)!, body: this.statementsIn(node)[0]! };
      case 'Hold':
      case 'Try': {
        const [body, otherwise] = this.statementsIn(node);
        return {
          ...place,
          kind: node.name === 'Hold' ? 'hold' : 'try',
          mode: this.named(node, 'HoldMode'),
          latch: this.expressionsIn(node.getChild('LatchUse')!)[0] as NameUse | Indexed,
          body: body as Block,
          otherwise,
        };
      }
      case 'Repeat':
        return { ...place, kind: 'repeat', count: this.condition(node), body: this.statementsIn(node)[0]! };
      case 'ExpressionStatement':
        return { ...place, kind: 'expression', expression: this.expressionsIn(node)[0]! };
      default:
        return { ...place, kind: node.name.toLowerCase() as 'for' | 'break' | 'continue' | 'empty' };
    }
  }

  private condition(node: SyntaxNode): Expression {
    return this.expressionsIn(node.getChild('Condition')!)[0]!;
  }

  private initialOf(node: SyntaxNode): Expression | undefined {
    const initial = node.getChild('Initial');
    return initial ? this.expressionsIn(initial)[0] : undefined;
  }

  private expressionsIn(node: SyntaxNode): Expression[] {
    return childrenOf(node)
      .filter(({ name }) => isExpression.test(name))
      .map((child) => this.expression(child));
  }

  private expression(node: SyntaxNode): Expression {
    const place = placeOf(node);
    switch (node.name) {
      case 'Number':
        return { ...place, kind: 'number', text: this.text(node) };
      case 'Name':
        return this.nameUse(node);
      case 'Indexed': {
        const [name, index] = this.expressionsIn(node);
        return { ...place, kind: 'indexed', name: name as NameUse, index: index! };
      }
      case 'Call': {
        const given = this.expressionsIn(node.getChild('Arguments')!);
        return { ...place, kind: 'call', callee: this.nameUse(node.getChild('Callee')!), given };
      }
      case 'Parenthesized':
        return this.expressionsIn(node)[0]!;
      case 'Unary':
        return {
          ...place,
          kind: 'unary',
          operator: this.text(node.firstChild!),
          operand: this.expressionsIn(node)[0]!,
        };
      case 'Binary': {
        const [left, right] = this.expressionsIn(node);
        const operator = childrenOf(node).find(({ name }) => name.endsWith('Operator'))!;
        return { ...place, kind: 'binary', operator: this.text(operator), left: left!, right: right! };
      }
      default: {
        const [target, value] = this.expressionsIn(node);
        const operator = childrenOf(node).find(({ name }) => /^(Assign|UpdateOperator)$/.test(name))!;
        return { ...place, kind: 'assignment', operator: this.text(operator), target: target!, value };
      }
    }
  }

  private nameUse(node: SyntaxNode): NameUse {
    return { ...placeOf(node), kind: 'name', name: this.text(node) };
  }

  private named(node: SyntaxNode, child: string): Named {
    const found = node.getChild(child)!;
    return { ...placeOf(found), name: this.text(found) };
  }

  private text({ from, to }: Place): string {
    return this.source.slice(from, to);
  }
}

const placeOf = ({ from, to }: Place): Place => ({ from, to });

// Converts Lezer's tree to the compiler's form: without brackets and separators, each part with its
// place.
import type { SyntaxNode, Tree } from '@lezer/common';

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
  | (Place & { kind: 'expression'; expression: Expression });

export interface WordNode extends Place {
  kind: 'word';
  ofThreads: boolean;
  named: Named;
  size: Expression | undefined;
  initial: Expression | undefined;
}

export type Declaration =
  | WordNode
  | (Place & { kind: 'line'; ofThreads: boolean; words: WordNode[] })
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

/** Reads a tree. REQUIRES: a tree without errors. */
export function readTree(tree: Tree, source: string): Latch {
  return new Reader(source).latch(tree.topNode);
}

const isExpression = /^(Number|Name|Indexed|Call|Parenthesized|Unary|Binary|Assignment|Update)$/;
const isStatement = /^(Block|Local|If|While|For|Break|Continue|Return|ExpressionStatement|Empty)$/;

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (!child.name.endsWith('Comment')) children.push(child);
  return children;
}

class Reader {
  constructor(private readonly source: string) {}

  latch(top: SyntaxNode): Latch {
    const parts = childrenOf(top);
    return {
      declarations: parts.filter(({ name }) => name !== 'Function').map((part) => this.declaration(part)),
      functions: parts.filter(({ name }) => name === 'Function').map((part) => this.functionNode(part)),
    };
  }

  private declaration(node: SyntaxNode): Declaration {
    switch (node.name) {
      case 'WordDeclaration':
        return this.word(node);
      case 'LineDeclaration': {
        const words = node.getChildren('WordDeclaration').map((word) => this.word(word));
        return { ...placeOf(node), kind: 'line', ofThreads: node.getChild('thread') !== null, words };
      }
      case 'ConstantDeclaration': {
        const value = this.initialOf(node)!;
        return { ...placeOf(node), kind: 'constant', named: this.named(node, 'ConstantName'), value };
      }
      default:
        return { ...placeOf(node), kind: 'threads', most: this.expressionsIn(node)[0]! };
    }
  }

  private word(node: SyntaxNode): WordNode {
    const size = node.getChild('Size');
    return {
      ...placeOf(node),
      kind: 'word',
      ofThreads: node.getChild('thread') !== null,
      named: this.named(node, 'WordName'),
      size: size ? this.expressionsIn(size)[0] : undefined,
      initial: this.initialOf(node),
    };
  }

  private functionNode(node: SyntaxNode): FunctionNode {
    const [type, named] = [this.named(node, 'Type'), this.named(node, 'FunctionName')];
    return { ...placeOf(node), type, named, body: this.block(node.getChild('Block')!) };
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

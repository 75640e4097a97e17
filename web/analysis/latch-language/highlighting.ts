// Which part of a source is what, for an editor's colours. Only the editor needs it.
import { styleTags, tags } from '@lezer/highlight';

export const latch_highlighting = styleTags({
  'word thread line const threads at most': tags.definitionKeyword,
  'if else while for break continue return': tags.controlKeyword,
  'void uint TypeOfC': tags.typeName,
  'WordName LocalName': tags.definition(tags.variableName),
  ConstantName: tags.constant(tags.variableName),
  FunctionName: tags.function(tags.definition(tags.variableName)),
  Callee: tags.function(tags.variableName),
  Name: tags.variableName,
  Number: tags.number,
  LineComment: tags.lineComment,
  BlockComment: tags.blockComment,
  'LogicOperator/...': tags.logicOperator,
  'ArithmeticOperator/...': tags.arithmeticOperator,
  'BitOperator/...': tags.bitwiseOperator,
  'CompareOperator/...': tags.compareOperator,
  'UpdateOperator/...': tags.updateOperator,
  'Assign/...': tags.definitionOperator,
});

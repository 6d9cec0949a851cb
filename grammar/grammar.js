// Python 3.8 to 3.13, the language that TVMScript is embedded in. After a change: README.md, beside this file.
//
// What always holds:
// - Node and field names follow tree-sitter-python, except: a plain string is one leaf (`string`), only an f-string has
//   children (`format_string`); `pattern_list` is an assignment's left side `a, b`; tuples and lists keep their names there.
// - Reserved words are never identifiers: `identifier` is a pattern with those words taken out, there is no `word` token.
//   `match`, `case` and `type` are both.
// - Line ends, indentation and brackets come from src/scanner.c, which counts open brackets: outside of them a
//   line end is always a token, also where the grammar has no use for it, so a half-typed line ends where its text ends.
// - What the rules let through, and who reports it, is listed in README.md.

const RESERVED = [
  'False', 'None', 'True', 'and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif',
  'else', 'except', 'finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is', 'lambda', 'nonlocal', 'not', 'or',
  'pass', 'raise', 'return', 'try', 'while', 'with', 'yield',
];

// Beyond ASCII everything counts as part of a name here: one range keeps the lexer fast. Characters that cannot
// stand in a name are left to src/check.c.
const WIDE = '\\u0080-\\u{10FFFF}';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

/// A pattern for the names that are not reserved: the trie of the reserved words, turned inside out.
function identifierPattern() {
  const trie = {};
  for (const word of RESERVED) {
    let at = trie;
    for (const c of word) at = at[c] = at[c] || {};
    at.end = true;
  }
  const any = `[${LETTERS}${DIGITS}${WIDE}]*`;
  const visit = (node, chars) => {
    const next = Object.keys(node).filter(c => c !== 'end').sort();
    const others = [...chars].filter(c => !next.includes(c)).join('');
    const rest = [`[${others}${WIDE}]${any}`];
    for (const c of next) {
      const deeper = visit(node[c], LETTERS + DIGITS);
      rest.push(c + deeper + (node[c].end ? '' : '?'));
    }
    return `(${rest.join('|')})`;
  };
  return new RegExp(visit(trie, LETTERS), 'u');
}

const sep1 = (rule, separator) => seq(rule, repeat(seq(separator, rule)));
const commas1 = rule => seq(sep1(rule, ','), optional(','));

// String literals. A backslash takes the next character along, also in raw strings.
const ANY = '(.|[\\r\\n])';
const stringPattern = (prefix, short, long) => new RegExp(
  prefix + '(' + ['"', "'"].map(q =>
    `${q}${q}${q}${long(q)}${q}${q}${q}|${q}${short(q)}${q}`).join('|') + ')');
const TEXT = stringPattern('([uU]|[rR])?',
  q => `([^${q}\\\\\\r\\n]|\\\\(\\r\\n|${ANY}))*`,
  q => `([^${q}\\\\]|\\\\${ANY}|${q}([^${q}\\\\]|\\\\${ANY})|${q}${q}([^${q}\\\\]|\\\\${ANY}))*`);
const ASCII = '\\x00-\\x7F';
const asciiBut = text => `[${[...Array(128).keys()].filter(i => !text.includes(String.fromCharCode(i)))
  .map(i => '\\x' + i.toString(16).padStart(2, '0')).join('')}]`;
const BYTES = stringPattern('([bB][rR]?|[rR][bB])',
  q => `(${asciiBut(q + '\\\r\n')}|\\\\(\\r\\n|[${ASCII}]))*`,
  q => `(${asciiBut(q + '\\')}|\\\\[${ASCII}]|${q}(${asciiBut(q + '\\')}|\\\\[${ASCII}])|${q}${q}(${asciiBut(q + '\\')}|\\\\[${ASCII}]))*`);
const FORMAT = '([fF][rR]?|[rR][fF])';

// Text between the braces of an f-string. Doubled braces are tokens of their own and `\` may end a text, so that at `{`
// a text is always complete: being of higher precedence it then ends the comment that text with a `#` could also be.
const formatText = (q, long) => {
  const one = `[^${q}\\\\{}${long ? '' : '\\r\\n'}]|\\\\N\\{[A-Za-z0-9 \\-]+\\}|\\\\\\r\\n|\\\\[^{}]`;
  return long ? `(${q}?${q}?(${one}))+(${q}?${q}?\\\\)?|${q}?${q}?\\\\` : `(${one})+\\\\?|\\\\`;
};
const formatSpecText = (q, long) => {
  const one = `[^${q}\\\\{}${long ? '' : '\\r\\n'}]|\\\\[^{}]`;
  return long ? `(${q}?${q}?(${one}))+(${q}?${q}?\\\\)?|${q}?${q}?\\\\` : `(${one})+\\\\?|\\\\`;
};

const QUOTES = [['dq', '"', false], ['sq', "'", false], ['tdq', '"', true], ['tsq', "'", true]];

/// The rules of one kind of f-string. The quote is part of the rules' names, so that the parser's stack remembers it.
function formatRules() {
  const rules = {};
  for (const [kind, q, long] of QUOTES) {
    const quote = long ? q + q + q : q;
    const lone = $ => long ? [$[`_format_quote_${kind}`]] : [];
    rules[`_format_${kind}`] = $ => seq(
      alias($[`_format_start_${kind}`], $.string_start),
      repeat(choice(alias(choice($[`_format_text_${kind}`], $._doubled_brace, ...lone($)), $.string_content),
        alias($[`_interpolation_${kind}`], $.interpolation))),
      alias(token.immediate(prec(3, quote)), $.string_end));
    rules[`_format_start_${kind}`] = _ => token(new RegExp(FORMAT + quote));
    rules[`_format_text_${kind}`] = _ => token.immediate(prec(2, new RegExp(formatText(q, long))));
    // A quote that begins neither the end nor more text, as in `"{x}"`.
    if (long) rules[`_format_quote_${kind}`] = _ => token.immediate(prec(1, q));
    rules[`_format_spec_text_${kind}`] = _ => token.immediate(prec(2, new RegExp(formatSpecText(q, long))));
    rules[`_interpolation_${kind}`] = $ => seq(
      alias($._interpolation_open, '{'),
      field('expression', choice($._star_value, $.expression_list, $.yield)),
      optional('='),
      optional(field('type_conversion', $.type_conversion)),
      optional(field('format_specifier', alias($[`_format_spec_${kind}`], $.format_specifier))),
      '}');
    rules[`_format_spec_${kind}`] = $ => seq(':',
      repeat(choice(alias(choice($[`_format_spec_text_${kind}`], ...lone($)), $.string_content),
        alias($[`_interpolation_${kind}`], $.interpolation))));
  }
  return rules;
}

module.exports = grammar({
  name: 'tvmscript',

  // src/scanner.c has the same order.
  externals: $ => [
    $._newline,
    $._indent,
    $._dedent,
    $.base_indent, // only at the very start, when the first line is indented
    $._line_start, // never produced: says that a statement or clause may start here
    $._interpolation_open, // valid only between the quotes of an f-string
    '(', ')', '[', ']', '{', '}',
    $.identifier, // never produced where valid: says that a name may start here
    $._head_end, // never produced: says that the colon of a compound statement may stand here
    $._anywhere, // never produced: being an extra, makes every state ask the scanner
    $._unused, // never produced: keeps `:` a rule of its own, so that a missing one can be made up
    $._unexpected_indent, // valid only while recovering
  ],

  extras: $ => [/[ \t\f\r\n]|\\\r?\n/, $.comment, $._anywhere],

  inline: $ => [$._simple_statement, $._name, $._target, $._star_values, $._star_value, $._slot, $._named, $._positional,
    $._one_string, $._tuple_elements, $._keywords, $._imported],

  conflicts: $ => [
    [$.match_statement, $._operand],
    [$.with_item, $.parenthesized_expression],
    [$.with_item, $.tuple],
  ],

  rules: {
    module: $ => seq(optional($.base_indent), repeat($._statement)),

    _statement: $ => choice($._simple_statements, $._compound_statement, $._line_start),

    // Simple statements

    _simple_statements: $ => seq(sep1($._simple_statement, ';'), optional(';'), alias($._newline, 'newline')),

    _simple_statement: $ => choice(
      $.expression_statement,
      $.return_statement,
      $.pass_statement,
      $.assert_statement,
      $.import_statement,
      $.import_from_statement,
      $.delete_statement,
      $.raise_statement,
      $.break_statement,
      $.continue_statement,
      $.global_statement,
      $.nonlocal_statement,
      $.type_alias_statement,
    ),

    expression_statement: $ => choice($._star_values, $.yield, $.assignment, $.augmented_assignment),

    assignment: $ => choice(
      seq(field('left', choice($._target, alias($.expression_list, $.pattern_list), $.list_splat)), '=', field('right', $._right_side)),
      seq(field('left', choice($._name, $.attribute, $.subscript, $.parenthesized_expression)),
        ':', field('type', $.type), optional(seq('=', field('right', choice($._star_values, $.yield))))),
    ),

    _right_side: $ => choice($._star_values, $.yield, $.assignment),

    _target: $ => choice($._name, $.attribute, $.subscript, $.tuple, $.list, $.parenthesized_expression),

    augmented_assignment: $ => seq(
      field('left', choice($._name, $.attribute, $.subscript, $.parenthesized_expression)),
      field('operator', choice('+=', '-=', '*=', '/=', '@=', '//=', '%=', '**=', '>>=', '<<=', '&=', '^=', '|=')),
      field('right', choice($._star_values, $.yield))),

    return_statement: $ => seq('return', optional($._star_values)),
    pass_statement: _ => 'pass',
    break_statement: _ => 'break',
    continue_statement: _ => 'continue',
    assert_statement: $ => seq('assert', field('condition', $._expression), optional(seq(',', field('message', $._expression)))),
    delete_statement: $ => seq('del', choice($._target, alias($._target_list, $.expression_list))),
    raise_statement: $ => seq('raise', optional(seq($._expression, optional(seq('from', field('cause', $._expression)))))),
    global_statement: $ => seq('global', sep1($.identifier, ',')),
    nonlocal_statement: $ => seq('nonlocal', sep1($.identifier, ',')),

    import_statement: $ => seq('import', sep1(field('name', choice($.dotted_name, $.aliased_import)), ',')),
    import_from_statement: $ => seq('from', field('module_name', choice($.relative_import, $.dotted_name)), 'import',
      choice($.wildcard_import, sep1($._imported, ','), seq('(', commas1($._imported), ')'))),
    _imported: $ => field('name', choice(alias($._one_name, $.dotted_name), alias($._aliased_name, $.aliased_import))),
    _one_name: $ => $.identifier,
    _aliased_name: $ => seq(field('name', alias($._one_name, $.dotted_name)), 'as', field('alias', $.identifier)),
    relative_import: $ => seq($.import_prefix, optional($.dotted_name)),
    import_prefix: _ => repeat1('.'),
    aliased_import: $ => seq(field('name', $.dotted_name), 'as', field('alias', $.identifier)),
    wildcard_import: _ => '*',
    dotted_name: $ => sep1($.identifier, '.'),

    type_alias_statement: $ => seq('type', field('name', $.identifier),
      field('type_parameters', optional($.type_parameters)), '=', field('value', $._expression)),

    // Compound statements

    _compound_statement: $ => choice(
      $.function_definition,
      $.class_definition,
      $.decorated_definition,
      $.with_statement,
      $.for_statement,
      $.if_statement,
      $.while_statement,
      $.try_statement,
      $.match_statement,
    ),

    _colon: $ => choice(seq(':', optional($._unused)), $._head_end),

    _suite: $ => choice(seq($._indent, $.block), alias($._simple_statements, $.block)),
    block: $ => seq(repeat1($._statement), alias($._dedent, 'dedent')),

    if_statement: $ => seq('if', field('condition', $._named), $._colon, field('consequence', $._suite),
      repeat(field('alternative', $.elif_clause)), optional(field('alternative', $.else_clause))),
    elif_clause: $ => seq('elif', field('condition', $._named), $._colon, field('consequence', $._suite)),
    else_clause: $ => seq('else', $._colon, field('body', $._suite)),

    while_statement: $ => seq('while', field('condition', $._named), $._colon, field('body', $._suite),
      optional(field('alternative', $.else_clause))),

    for_statement: $ => seq(optional('async'), 'for', field('left', $._for_targets), 'in', field('right', $._star_values),
      $._colon, field('body', $._suite), optional(field('alternative', $.else_clause))),

    _for_targets: $ => choice($._target, alias($._target_splat, $.list_splat), alias($._target_list, $.pattern_list)),
    _target_list: $ => seq(choice($._target, alias($._target_splat, $.list_splat)),
      choice(',', seq(repeat1(seq(',', choice($._target, alias($._target_splat, $.list_splat)))), optional(',')))),
    _target_splat: $ => seq('*', $._target),

    with_statement: $ => seq(optional('async'), 'with', $.with_clause, $._colon, field('body', $._suite)),
    with_clause: $ => choice(sep1($.with_item, ','), seq('(', commas1($.with_item), ')')),
    with_item: $ => prec.dynamic(1, seq(field('value', $._expression), optional(seq('as', field('alias', $._with_target))))),
    _with_target: $ => choice($._target, alias($._target_splat, $.list_splat)),

    try_statement: $ => seq('try', $._colon, field('body', $._suite), optional($._line_start), choice(
      seq(repeat1($.except_clause), optional($.else_clause), optional($.finally_clause)),
      seq(repeat1($.except_group_clause), optional($.else_clause), optional($.finally_clause)),
      $.finally_clause)),
    except_clause: $ => seq('except', optional(seq(field('value', $._expression), optional(seq('as', field('alias', $.identifier))))),
      $._colon, field('body', $._suite)),
    except_group_clause: $ => seq('except', '*', field('value', $._expression), optional(seq('as', field('alias', $.identifier))),
      $._colon, field('body', $._suite)),
    finally_clause: $ => seq('finally', $._colon, field('body', $._suite)),

    decorated_definition: $ => seq(repeat1($.decorator), optional($._line_start),
      field('definition', choice($.function_definition, $.class_definition))),
    decorator: $ => seq('@', $._named, alias($._newline, 'newline')),

    function_definition: $ => seq(optional('async'), 'def', field('name', $.identifier),
      field('type_parameters', optional($.type_parameters)), field('parameters', $.parameters),
      optional(seq('->', field('return_type', $.type))), $._colon, field('body', $._suite)),

    class_definition: $ => seq('class', field('name', $.identifier), field('type_parameters', optional($.type_parameters)),
      field('superclasses', optional($.argument_list)), $._colon, field('body', $._suite)),

    type: $ => choice($._expression),
    type_parameters: $ => seq('[', commas1($.type_parameter), ']'),
    type_parameter: $ => choice(
      seq(field('name', $.identifier), optional(seq(':', field('bound', $._expression))), optional(seq('=', field('default', $._expression)))),
      seq('*', field('name', $.identifier), optional(seq('=', field('default', $._star_value)))),
      seq('**', field('name', $.identifier), optional(seq('=', field('default', $._expression))))),

    parameters: $ => seq('(', optional(commas1($._parameter)), ')'),
    _parameter: $ => choice($.identifier, $.typed_parameter, $.default_parameter, $.typed_default_parameter,
      $.list_splat_pattern, $.dictionary_splat_pattern, $.keyword_separator, $.positional_separator),
    typed_parameter: $ => choice(
      seq(field('name', $.identifier), ':', field('type', $.type)),
      seq($.list_splat_pattern, ':', field('type', alias($._star_type, $.type))),
      seq($.dictionary_splat_pattern, ':', field('type', $.type))),
    _star_type: $ => $._star_value,
    default_parameter: $ => seq(field('name', $.identifier), '=', field('value', $._expression)),
    typed_default_parameter: $ => seq(field('name', $.identifier), ':', field('type', $.type), '=', field('value', $._expression)),
    list_splat_pattern: $ => seq('*', $.identifier),
    dictionary_splat_pattern: $ => seq('**', $.identifier),
    keyword_separator: _ => '*',
    positional_separator: _ => '/',

    lambda_parameters: $ => commas1($._lambda_parameter),
    _lambda_parameter: $ => choice($.identifier, $.default_parameter, $.list_splat_pattern, $.dictionary_splat_pattern,
      $.keyword_separator, $.positional_separator),

    // Match statement

    match_statement: $ => seq('match', field('subject', choice($._slot, alias($._subjects, $.expression_list))), $._colon,
      $._indent, field('body', alias($._match_block, $.block))),
    _subjects: $ => $._tuple_elements,
    _match_block: $ => seq(repeat1(choice($.case_clause, $._line_start)), alias($._dedent, 'dedent')),
    case_clause: $ => seq('case', field('pattern', choice($._pattern, alias($._open_sequence, $.tuple_pattern))),
      optional(field('guard', alias($._guard, $.if_clause))), $._colon, field('consequence', $._suite)),
    _guard: $ => seq('if', $._named),
    _open_sequence: $ => seq($._pattern_or_star, choice(',', seq(repeat1(seq(',', $._pattern_or_star)), optional(',')))),
    _pattern_or_star: $ => choice($._pattern, $.splat_pattern),
    _pattern: $ => choice($.as_pattern, $.union_pattern, $._closed_pattern),
    as_pattern: $ => seq(choice($.union_pattern, $._closed_pattern), 'as', field('alias', $.identifier)),
    union_pattern: $ => seq($._closed_pattern, repeat1(seq('|', $._closed_pattern))),
    _closed_pattern: $ => choice($._literal_pattern, $.dotted_name, $.group_pattern, $.tuple_pattern, $.list_pattern,
      $.dict_pattern, $.class_pattern),
    _literal_pattern: $ => choice($._signed_number, $.complex_pattern, $.string, alias($._format_string, $.format_string), $.concatenated_string, $.true, $.false, $.none),
    _signed_number: $ => choice($.integer, $.float, alias($._negative, $.unary_operator)),
    _negative: $ => seq(field('operator', '-'), field('argument', choice($.integer, $.float))),
    complex_pattern: $ => seq($._signed_number, choice('+', '-'), choice($.integer, $.float)),
    group_pattern: $ => seq('(', $._pattern, ')'),
    tuple_pattern: $ => seq('(', optional($._open_sequence), ')'),
    list_pattern: $ => seq('[', optional(commas1($._pattern_or_star)), ']'),
    splat_pattern: $ => seq('*', $.identifier),
    dict_pattern: $ => seq('{', optional(choice(
      commas1($.pair_pattern),
      seq(sep1($.pair_pattern, ','), ',', alias($._rest_pattern, $.splat_pattern), optional(',')),
      seq(alias($._rest_pattern, $.splat_pattern), optional(',')))), '}'),
    pair_pattern: $ => seq(field('key', choice($._literal_pattern, alias($._qualified_name, $.dotted_name))), ':', field('value', $._pattern)),
    _qualified_name: $ => seq($.identifier, repeat1(seq('.', $.identifier))),
    _rest_pattern: $ => seq('**', $.identifier),
    class_pattern: $ => seq(field('class', $.dotted_name), '(', optional(choice(
      commas1($._pattern),
      seq(sep1($._pattern, ','), ',', commas1($.keyword_pattern)),
      commas1($.keyword_pattern))), ')'),
    keyword_pattern: $ => seq(field('name', $.identifier), '=', field('value', $._pattern)),

    // Expressions. Two levels only, so that most of them cost one reduction: _operand is what may stand beside an
    // arithmetic operator or a comparison, _expression is everything but `:=`, `*x` and bare tuples.

    _star_values: $ => choice($._star_value, $.expression_list),
    _star_value: $ => choice($._expression, $.list_splat),
    expression_list: $ => seq($._star_value, choice(',', seq(repeat1(seq(',', $._star_value)), optional(',')))),
    _slot: $ => choice($._named, $.list_splat),
    list_splat: $ => seq('*', $._operand),

    _named: $ => choice($._expression, $.named_expression),
    named_expression: $ => seq(field('name', $._name), ':=', field('value', $._expression)),

    _expression: $ => choice($._operand, $.comparison_operator, $.not_operator, $.boolean_operator,
      $.conditional_expression, $.lambda),
    lambda: $ => prec(1, seq('lambda', field('parameters', optional($.lambda_parameters)), ':', field('body', $._expression))),
    conditional_expression: $ => prec.right(2, seq(field('consequence', $._expression), 'if', field('condition', $._expression),
      'else', field('alternative', $._expression))),
    boolean_operator: $ => choice(
      prec.left(4, seq(field('left', $._expression), field('operator', 'or'), field('right', $._expression))),
      prec.left(5, seq(field('left', $._expression), field('operator', 'and'), field('right', $._expression)))),
    not_operator: $ => prec(6, seq('not', field('argument', $._expression))),
    comparison_operator: $ => prec.left(7, seq($._operand, repeat1(seq(
      field('operators', choice('<', '<=', '==', '!=', '>=', '>', 'in', alias($._not_in, 'not in'), 'is', alias($._is_not, 'is not'))),
      $._operand)))),
    _not_in: _ => seq('not', 'in'),
    _is_not: _ => seq('is', 'not'),

    _operand: $ => choice(
      $._name, $.integer, $.float, $.string, alias($._format_string, $.format_string), $.concatenated_string,
      $.true, $.false, $.none, $.ellipsis,
      $.parenthesized_expression, $.tuple, $.list, $.dictionary, $.set,
      $.list_comprehension, $.dictionary_comprehension, $.set_comprehension, $.generator_expression,
      $.attribute, $.subscript, $.call, $.binary_operator, $.unary_operator, $.await),
    binary_operator: $ => choice(...[
      [8, ['|']], [9, ['^']], [10, ['&']], [11, ['<<', '>>']], [12, ['+', '-']], [13, ['*', '@', '/', '%', '//']],
    ].map(([level, operators]) => prec.left(level, seq(field('left', $._operand),
      field('operator', operators.length > 1 ? choice(...operators) : operators[0]), field('right', $._operand)))),
      prec.right(15, seq(field('left', $._operand), field('operator', '**'), field('right', $._operand)))),
    unary_operator: $ => prec(14, seq(field('operator', choice('+', '-', '~')), field('argument', $._operand))),
    await: $ => prec(16, seq('await', $._operand)),

    attribute: $ => prec(17, seq(field('object', $._operand), '.', field('attribute', $.identifier))),
    subscript: $ => prec(17, seq(field('value', $._operand), '[', commas1(field('subscript', choice($._slot, $.slice))), ']')),
    slice: $ => seq(optional($._expression), ':', optional($._expression), optional(seq(':', optional($._expression)))),
    call: $ => prec(17, seq(field('function', $._operand), field('arguments', choice($.argument_list, $.generator_expression)))),

    // Positional arguments, then keywords among which `*` may stand, then, from the first `**` on, keywords and `**`.
    argument_list: $ => seq('(', optional(choice(
      seq(commas1($._positional)),
      seq(sep1($._positional, ','), ',', $._keywords),
      $._keywords)), ')'),
    _positional: $ => choice($._named, alias($._argument_splat, $.list_splat)),
    _keywords: $ => {
      const starred = alias($._argument_splat, $.list_splat);
      const doubled = alias($._argument_double_splat, $.dictionary_splat);
      const first = seq($.keyword_argument, repeat(seq(',', choice($.keyword_argument, starred))));
      const second = seq(doubled, repeat(seq(',', choice($.keyword_argument, doubled))), optional(','));
      return choice(seq(first, optional(',')), seq(first, ',', second), second);
    },
    _argument_splat: $ => seq('*', $._expression),
    _argument_double_splat: $ => seq('**', $._expression),
    keyword_argument: $ => seq(field('name', $._name), '=', field('value', $._expression)),

    _name: $ => choice($.identifier, alias(choice('match', 'type'), $.identifier)),

    parenthesized_expression: $ => seq('(', choice($._named, $.yield), ')'),
    tuple: $ => seq('(', optional($._tuple_elements), ')'),
    _tuple_elements: $ => seq($._slot, choice(',', seq(repeat1(seq(',', $._slot)), optional(',')))),
    list: $ => seq('[', optional(commas1($._slot)), ']'),
    set: $ => seq('{', commas1($._slot), '}'),
    dictionary: $ => seq('{', optional(commas1(choice($.pair, $.dictionary_splat))), '}'),
    pair: $ => seq(field('key', $._expression), ':', field('value', $._expression)),
    dictionary_splat: $ => seq('**', $._operand),

    list_comprehension: $ => seq('[', field('body', $._named), $._comprehension_clauses, ']'),
    set_comprehension: $ => seq('{', field('body', $._named), $._comprehension_clauses, '}'),
    dictionary_comprehension: $ => seq('{', field('body', $.pair), $._comprehension_clauses, '}'),
    generator_expression: $ => seq('(', field('body', $._named), $._comprehension_clauses, ')'),
    _comprehension_clauses: $ => seq($.for_in_clause, repeat(choice($.for_in_clause, $.if_clause))),
    for_in_clause: $ => prec(3, seq(optional('async'), 'for', field('left', $._for_targets), 'in', field('right', $._expression))),
    if_clause: $ => prec(3, seq('if', $._expression)),

    yield: $ => seq('yield', choice(seq('from', $._expression), optional($._star_values))),

    // Literals

    concatenated_string: $ => seq($._one_string, repeat1($._one_string)),
    _one_string: $ => choice($.string, alias($._format_string, $.format_string)),
    string: _ => token(choice(TEXT, BYTES)),
    _format_string: $ => choice($._format_dq, $._format_sq, $._format_tdq, $._format_tsq),
    ...formatRules(),
    _doubled_brace: _ => token.immediate(prec(2, choice('{{', '}}'))),
    type_conversion: _ => token(/![a-z]/),

    identifier: _ => token(identifierPattern()),
    integer: _ => token(choice(/0[xX](_?[0-9a-fA-F])+/, /0[oO](_?[0-7])+/, /0[bB](_?[01])+/, /[1-9](_?[0-9])*/, /0(_?0)*/)),
    float: _ => token(/([0-9](_?[0-9])*\.([0-9](_?[0-9])*)?|\.[0-9](_?[0-9])*)([eE][+\-]?[0-9](_?[0-9])*)?[jJ]?|[0-9](_?[0-9])*([eE][+\-]?[0-9](_?[0-9])*[jJ]?|[jJ])/),
    true: _ => 'True',
    false: _ => 'False',
    none: _ => 'None',
    ellipsis: _ => '...',
    comment: _ => token(seq('#', /[^\r\n]*/)),
  },
});

; Later patterns win.
(identifier) @variable
((identifier) @type (#match? @type "^[A-Z]"))
((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]+$"))
((identifier) @variable.builtin (#any-of? @variable.builtin "self" "cls"))

(attribute attribute: (identifier) @property)
(keyword_argument name: (identifier) @variable.parameter)

(call function: (identifier) @function.call)
(call function: (attribute attribute: (identifier) @function.method.call))
((call function: (identifier) @function.builtin)
  (#any-of? @function.builtin "abs" "all" "any" "bool" "dict" "enumerate" "float" "getattr" "hasattr" "int" "isinstance"
    "len" "list" "map" "max" "min" "open" "print" "range" "repr" "reversed" "set" "sorted" "str" "sum" "super" "tuple"
    "type" "zip"))

(function_definition name: (identifier) @function)
(class_definition name: (identifier) @type)
(type_alias_statement name: (identifier) @type)
(type_parameter name: (identifier) @type)
(type (identifier) @type)
(type (attribute attribute: (identifier) @type))
(type (call function: (identifier) @type))
(type (call function: (attribute attribute: (identifier) @type)))

(parameters (identifier) @variable.parameter)
(lambda_parameters (identifier) @variable.parameter)
(typed_parameter name: (identifier) @variable.parameter)
(default_parameter name: (identifier) @variable.parameter)
(typed_default_parameter name: (identifier) @variable.parameter)
(list_splat_pattern (identifier) @variable.parameter)
(dictionary_splat_pattern (identifier) @variable.parameter)

(decorator "@" @attribute)
(decorator (identifier) @attribute)
(decorator (attribute attribute: (identifier) @attribute))
(decorator (call function: (identifier) @attribute))
(decorator (call function: (attribute attribute: (identifier) @attribute)))

(import_statement name: (dotted_name (identifier) @module))
(import_from_statement module_name: (dotted_name (identifier) @module))
(aliased_import alias: (identifier) @module)

(class_pattern class: (dotted_name (identifier) @type))
(keyword_pattern name: (identifier) @variable.parameter)

(none) @constant.builtin
(true) @boolean
(false) @boolean
(ellipsis) @constant.builtin
(integer) @number
(float) @number.float
(comment) @comment
(string) @string
(string_start) @string
(string_content) @string
(string_end) @string
(type_conversion) @operator
(interpolation "{" @punctuation.special "}" @punctuation.special)
(block . (expression_statement (string) @string.documentation))
(module . (expression_statement (string) @string.documentation))

["+" "-" "*" "**" "/" "//" "%" "@" "<<" ">>" "&" "|" "^" "~" "<" ">" "<=" ">=" "==" "!=" "=" ":=" "->"
 "+=" "-=" "*=" "/=" "//=" "%=" "@=" "&=" "|=" "^=" ">>=" "<<=" "**="] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" ";" "."] @punctuation.delimiter

["and" "in" "is" "not" "or" "is not" "not in"] @keyword.operator
["as" "assert" "async" "await" "class" "def" "del" "global" "lambda" "nonlocal" "type" "with"
 (pass_statement)] @keyword
["elif" "else" "if" "match" "case"] @keyword.conditional
["for" "while" (break_statement) (continue_statement)] @keyword.repeat
["return" "yield"] @keyword.return
["except" "finally" "raise" "try"] @keyword.exception
["from" "import"] @keyword.import

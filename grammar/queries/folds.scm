[
  (function_definition) (class_definition) (with_statement) (for_statement) (while_statement) (if_statement)
  (elif_clause) (else_clause) (try_statement) (except_clause) (except_group_clause) (finally_clause)
  (match_statement) (case_clause) (decorated_definition)
  (argument_list) (parameters) (list) (tuple) (set) (dictionary) (subscript)
  (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)
  (string) (format_string) (import_from_statement)
] @fold
((import_statement)+ @fold)
(comment)+ @fold

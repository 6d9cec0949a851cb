(module) @local.scope
(class_definition) @local.scope
(function_definition) @local.scope
(lambda) @local.scope
(list_comprehension) @local.scope
(set_comprehension) @local.scope
(dictionary_comprehension) @local.scope
(generator_expression) @local.scope

(function_definition name: (identifier) @local.definition.function)
(class_definition name: (identifier) @local.definition.type)
(type_alias_statement name: (identifier) @local.definition.type)
(type_parameter name: (identifier) @local.definition.type)

(parameters (identifier) @local.definition.parameter)
(lambda_parameters (identifier) @local.definition.parameter)
(typed_parameter name: (identifier) @local.definition.parameter)
(default_parameter name: (identifier) @local.definition.parameter)
(typed_default_parameter name: (identifier) @local.definition.parameter)
(list_splat_pattern (identifier) @local.definition.parameter)
(dictionary_splat_pattern (identifier) @local.definition.parameter)

(assignment left: (identifier) @local.definition.var)
(assignment left: (pattern_list (identifier) @local.definition.var))
(assignment left: (tuple (identifier) @local.definition.var))
(assignment left: (list (identifier) @local.definition.var))
(named_expression name: (identifier) @local.definition.var)
(for_statement left: (identifier) @local.definition.var)
(for_statement left: (pattern_list (identifier) @local.definition.var))
(for_statement left: (tuple (identifier) @local.definition.var))
(for_in_clause left: (identifier) @local.definition.var)
(for_in_clause left: (pattern_list (identifier) @local.definition.var))
(for_in_clause left: (tuple (identifier) @local.definition.var))
(with_item alias: (identifier) @local.definition.var)
(with_item alias: (tuple (identifier) @local.definition.var))
(with_item alias: (list (identifier) @local.definition.var))
(except_clause alias: (identifier) @local.definition.var)
(except_group_clause alias: (identifier) @local.definition.var)
(as_pattern alias: (identifier) @local.definition.var)
(splat_pattern (identifier) @local.definition.var)
(aliased_import alias: (identifier) @local.definition.import)
(import_statement name: (dotted_name . (identifier) @local.definition.import))
(import_from_statement name: (dotted_name . (identifier) @local.definition.import))

(identifier) @local.reference

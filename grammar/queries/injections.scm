((comment) @injection.content (#set! injection.language "comment"))

; re.compile(r"…") and its kin
((call
  function: (attribute object: (identifier) @_module attribute: (identifier) @_function)
  arguments: (argument_list . (string) @injection.content))
  (#eq? @_module "re")
  (#any-of? @_function "compile" "match" "search" "fullmatch" "sub" "findall" "split")
  (#set! injection.language "regex"))

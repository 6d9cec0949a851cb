// What the user types as the inputs of a function. Apart from the rest so that it is tested without VS Code.

/** Splits what the user typed at spaces that are in no quotes or brackets; quotes go. */
export function splitArguments(text: string): string[] {
  const result: string[] = [];
  let word = "";
  let quote = "";
  let depth = 0;
  let open = false;
  for (const char of text) {
    if (quote) {
      if (char === quote) quote = "";
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      open = true;
    } else if (/\s/.test(char) && depth === 0) {
      if (word || open) result.push(word);
      word = "";
      open = false;
    } else {
      if ("([{".includes(char)) depth++;
      if (")]}".includes(char) && depth > 0) depth--;
      word += char;
    }
  }
  if (word || open) result.push(word);
  return result;
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  if (end === -1) return text.length
  return end > at && text[end - 1] === '\r' ? end - 1 : end
}

export function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}

export function endOfLines(text: string): string {
  const first = text.indexOf('\n')
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n'
}

export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), lineEnd(text, at)))![0]
}

export function isBlank(text: string): boolean {
  return /^\s*$/.test(text)
}

export function columnOf(text: string, at: number): number {
  return Math.max(indentAt(text, at).length, at - lineStart(text, at))
}

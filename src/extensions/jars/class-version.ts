export const CLASS_HEAD = 8
const CLASS_MAGIC = 0xcafebabe
/** Java 1 has major version 45. */
const CLASS_OFFSET = 44

/** The Java that loads a class; null if `head` isn't one. */
export function javaOfClass(head: Buffer): number | null {
  if (head.length < CLASS_HEAD || head.readUInt32BE(0) !== CLASS_MAGIC) return null
  const java = head.readUInt16BE(6) - CLASS_OFFSET
  return java > 0 ? java : null
}

export const classEntry = (name: string): string => `${name.replaceAll('.', '/')}.class`

/** Bytes at the beginning of a class file in which it names the version that made it. */
export const CLASS_HEAD = 8
const CLASS_MAGIC = 0xcafebabe
/** Class files of Java 1 have the major version 45. */
const CLASS_OFFSET = 44

/** The oldest major version of Java that loads a class, by its first bytes; null where these are of no class. */
export function javaOfClass(head: Buffer): number | null {
  if (head.length < CLASS_HEAD || head.readUInt32BE(0) !== CLASS_MAGIC) return null
  const java = head.readUInt16BE(6) - CLASS_OFFSET
  return java > 0 ? java : null
}

/** Where the class of a name lies in a jar. */
export const classEntry = (name: string): string => `${name.replaceAll('.', '/')}.class`

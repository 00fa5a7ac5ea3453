import path from 'node:path'
import { readDataFile } from '../../../host/data-file.ts'

export interface JavaRelease {
  major: number
  /** As written: `1.8.0_432`, `21.0.5`. */
  version: string
  implementor: string | null
  /** `x86_64`, `amd64`, `aarch64`, … */
  arch: string | null
  /** `gnu`, `musl`, or `default` if there is only one. */
  libc: string | null
}

const MOST_BYTES = 64 * 1024

export function parseRelease(text: string): JavaRelease | null {
  const values = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const found = /^([A-Z_]{1,40})="?([^"]{0,200})"?\s*$/.exec(line)
    if (found) values.set(found[1] ?? '', found[2] ?? '')
  }
  const version = values.get('JAVA_VERSION') ?? ''
  const major = majorOf(version)
  if (major === null) return null
  const valueOf = (name: string) => values.get(name) || null
  return {
    major,
    version,
    implementor: valueOf('IMPLEMENTOR'),
    arch: valueOf('OS_ARCH'),
    libc: valueOf('LIBC'),
  }
}

/** `1.8.0_432` → 8, `21.0.5` → 21, `26-ea` → 26; null if invalid. */
export function majorOf(version: string): number | null {
  const [, first, second] = /^(\d{1,3})(?:\.(\d{1,3}))?(?![\d])/.exec(version) ?? []
  if (first === undefined) return null
  const major = first === '1' ? Number(second ?? NaN) : Number(first)
  return major > 0 ? major : null
}

export async function readRelease(home: string): Promise<JavaRelease | null> {
  const text = await readDataFile(path.join(home, 'release'), MOST_BYTES).catch(() => null)
  return text === null ? null : parseRelease(text)
}

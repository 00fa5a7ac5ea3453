import type { ComputerMemory } from '../../../host/computer-memory.ts'
import { requireMemory } from '../../base/computer-limits.ts'
import { refusal } from '../../../host/refusal.ts'
import { ownArguments } from './own-arguments.ts'

export type ArgumentSet = 'default' | 'aikar' | 'zgc'

export interface JvmArgumentsInput {
  /** Of the whole process, in MiB. */
  limitMb: number
  major: number
  set: ArgumentSet
  own?: readonly string[]
  memory?: ComputerMemory
}

/** Aikar's flags for large heaps apply above this, in MiB. */
const AIKAR_LARGE = 12 * 1024
/** Initial heap in MiB. */
const FIRST_HEAP = 512
const ZGC_SINCE = 15

/** The arguments before `-jar`. Throws Refusal 422 `software.memory`, `software.arguments`. */
export function jvmArguments(input: JvmArgumentsInput): string[] {
  const { limitMb, major, set, own = [], memory } = input
  requireMemory(limitMb, memory)
  const heap = heapMb(limitMb)
  const first = set === 'aikar' ? heap : Math.min(heap, FIRST_HEAP)
  const allowed = ownArguments(own, set)
  return [`-Xms${first}M`, `-Xmx${heap}M`, ...argumentsOf(set, heap, major), ...allowed]
}

/** In MiB. Java needs memory beyond the heap: a quarter, at least 1 GiB, or two fifths of a small limit. */
export function heapMb(limitMb: number): number {
  const room = Math.max(limitMb / 4, Math.min(1024, limitMb * 0.4))
  return Math.max(64, Math.floor(limitMb - room))
}

function argumentsOf(set: ArgumentSet, heap: number, major: number): string[] {
  if (set === 'default') return []
  if (set === 'aikar') return aikar(heap > AIKAR_LARGE)
  if (major < ZGC_SINCE) throw refusal(422, 'software.arguments.zgc', { since: ZGC_SINCE, major })
  // The default since Java 23; later versions reject the flag.
  const generational = major === 21 || major === 22
  return ['-XX:+UseZGC', ...(generational ? ['-XX:+ZGenerational'] : []), '-XX:+DisableExplicitGC']
}

/** docs.papermc.io/paper/aikars-flags */
const aikar = (isLarge: boolean): string[] => [
  '-XX:+UseG1GC',
  '-XX:+ParallelRefProcEnabled',
  '-XX:MaxGCPauseMillis=200',
  '-XX:+UnlockExperimentalVMOptions',
  '-XX:+DisableExplicitGC',
  '-XX:+AlwaysPreTouch',
  `-XX:G1NewSizePercent=${isLarge ? 40 : 30}`,
  `-XX:G1MaxNewSizePercent=${isLarge ? 50 : 40}`,
  `-XX:G1HeapRegionSize=${isLarge ? 16 : 8}M`,
  `-XX:G1ReservePercent=${isLarge ? 15 : 20}`,
  '-XX:G1HeapWastePercent=5',
  '-XX:G1MixedGCCountTarget=4',
  `-XX:InitiatingHeapOccupancyPercent=${isLarge ? 20 : 15}`,
  '-XX:G1MixedGCLiveThresholdPercent=90',
  '-XX:G1RSetUpdatingPauseTimePercent=5',
  '-XX:SurvivorRatio=32',
  '-XX:+PerfDisableSharedMem',
  '-XX:MaxTenuringThreshold=1',
  '-Dusing.aikars.flags=https://mcflags.emc.gs',
  '-Daikars.new.flags=true',
]

/** Would add arguments to any Java, bypassing our checks. */
const ADDED_BY_ENVIRONMENT = /^(_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH)$/i

export const javaEnvironment = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !ADDED_BY_ENVIRONMENT.test(name)))

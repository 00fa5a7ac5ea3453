import { type ComputerMemory, requireMemory } from '../../base/computer-memory.ts'
import { refusal } from '../../base/refusal.ts'
import { ownArguments } from './own-arguments.ts'

/** Sets of arguments with a name: what Java does by itself, Aikar's for its G1 collector, and ZGC. */
export type ArgumentSet = 'default' | 'aikar' | 'zgc'

export interface JvmArgumentsInput {
  /** What the whole process may use, in MiB. */
  limitMb: number
  /** Of the Java that runs it. */
  major: number
  set: ArgumentSet
  /** What somebody wishes besides. */
  own?: readonly string[]
  /** What servers can have. Default: on this computer. */
  memory?: ComputerMemory
}

/** Aikar's other figures begin above this heap, in MiB. */
const AIKAR_LARGE = 12 * 1024
/** The heap begins so large where it may grow, in MiB. */
const FIRST_HEAP = 512
const ZGC_SINCE = 15

/**
 * The arguments before `-jar`, or what stands in its place. Throws Refusal 422 with a sentence: `software.memory` where
 * the limit is larger than servers can have here, `software.arguments` where something is not allowed or does not go together.
 */
export function jvmArguments(input: JvmArgumentsInput): string[] {
  const { limitMb, major, set, own = [], memory } = input
  requireMemory(limitMb, memory)
  const heap = heapMb(limitMb)
  const first = set === 'aikar' ? heap : Math.min(heap, FIRST_HEAP)
  const allowed = ownArguments(own, set)
  return [`-Xms${first}M`, `-Xmx${heap}M`, ...argumentsOf(set, heap, major), ...allowed]
}

/**
 * The heap for a limit, both in MiB. Java needs room beside it, for its code, threads and buffers: a quarter, and at least
 * 1 GiB; of a small limit two fifths, since otherwise nothing would be left for the heap.
 */
export function heapMb(limitMb: number): number {
  const room = Math.max(limitMb / 4, Math.min(1024, limitMb * 0.4))
  return Math.max(64, Math.floor(limitMb - room))
}

function argumentsOf(set: ArgumentSet, heap: number, major: number): string[] {
  if (set === 'default') return []
  if (set === 'aikar') return aikar(heap > AIKAR_LARGE)
  if (major < ZGC_SINCE) throw refusal(422, 'software.arguments.zgc', { since: ZGC_SINCE, major })
  // Java 23 does so by itself, and later ones refuse to start when they are told.
  const generational = major === 21 || major === 22
  return ['-XX:+UseZGC', ...(generational ? ['-XX:+ZGenerational'] : []), '-XX:+DisableExplicitGC']
}

/** Aikar's flags (docs.papermc.io/paper/aikars-flags), with those for large heaps. */
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

/** Variables by which an environment would add arguments to every Java, past all of these rules. */
const ADDED_BY_ENVIRONMENT = /^(_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH)$/i

/** An environment for a Java, without what would add arguments or classes to it. */
export const javaEnvironment = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !ADDED_BY_ENVIRONMENT.test(name)))

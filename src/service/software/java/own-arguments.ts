import { refusal } from '../../../host/refusal.ts'
import type { ArgumentSet } from './jvm-arguments.ts'

const MOST_ARGUMENTS = 50
const MOST_LENGTH = 200

const SWITCHES = new Set(
  `AlwaysPreTouch DisableExplicitGC EliminateLocks G1UseAdaptiveIHOP OmitStackTraceInFastThrow OptimizeStringConcat
  ParallelRefProcEnabled PerfDisableSharedMem UnlockDiagnosticVMOptions UnlockExperimentalVMOptions UseCompressedOops
  UseCompactObjectHeaders UseDynamicNumberOfGCThreads UseFastUnorderedTimeStamps UseLargePages UseNUMA UseStringDeduplication
  UseThreadPriorities UseTransparentHugePages ZProactive ZUncommit ExitOnOutOfMemoryError AllowEnhancedClassRedefinition
  UseCodeCacheFlushing UseVectorCmov UseFPUForSpilling UseAES UseAESIntrinsics UseFMA UseInlineCaches RewriteBytecodes`.split(
    /\s+/,
  ),
)

const FIGURES = new Set(
  `ActiveProcessorCount AllocatePrefetchStyle CICompilerCount ConcGCThreads G1ConcRefinementThreads G1HeapRegionSize
  G1HeapWastePercent G1MaxNewSizePercent G1MixedGCCountTarget G1MixedGCLiveThresholdPercent G1NewSizePercent
  G1RSetUpdatingPauseTimePercent G1ReservePercent G1SATBBufferEnqueueingThresholdPercent GCTimeRatio
  InitiatingHeapOccupancyPercent LargePageSizeInBytes MaxDirectMemorySize MaxGCPauseMillis MaxInlineLevel
  MaxMetaspaceSize MaxTenuringThreshold MetaspaceSize NewRatio NewSize MaxNewSize NmethodSweepActivity ParallelGCThreads
  ReservedCodeCacheSize NonNMethodCodeHeapSize NonProfiledCodeHeapSize ProfiledCodeHeapSize SoftMaxHeapSize
  SurvivorRatio ThreadPriorityPolicy ZAllocationSpikeTolerance ZCollectionInterval ZFragmentationLimit
  ZUncommitDelay SoftRefLRUPolicyMSPerMB`.split(/\s+/),
)

/** Can't be a path. */
const WORD = /^[\w.+-]{1,60}$/
const SWITCH = /^(true|false)$/
const NUMBER = /^\d{1,9}$/

const PROPERTIES: [name: RegExp, value: RegExp][] = [
  [/^(file|stdout|stderr|sun\.stdout|sun\.stderr|sun\.jnu)\.encoding$/, WORD],
  [/^user\.(language|country|region|variant)$/, /^[A-Za-z]{1,8}$/],
  [/^user\.timezone$/, /^[\w+-]{1,40}(\/[\w+-]{1,40}){0,2}$/],
  [/^java\.net\.preferIPv(4Stack|6Addresses)$/, /^(true|false|system)$/],
  [/^java\.awt\.headless$/, SWITCH],
  [/^log4j2\.formatMsgNoLookups$/, SWITCH],
  [/^terminal\.(jline|ansi)$/, SWITCH],
  [/^(Paper|paper|purpur|pufferfish|folia|velocity)\.[\w.-]{1,80}$/, WORD],
  [/^(fml|neoforge|forge)\.(readTimeout|queryResult|loginTimeout|earlyprogresswindow|doNotBackup)$/, WORD],
  [/^io\.netty\.[\w.]{1,80}$/, NUMBER],
  [/^fabric\.log\.level$/, WORD],
  [/^aikars\.new\.flags$/, SWITCH],
  [/^using\.aikars\.flags$/, /^https:\/\/mcflags\.emc\.gs$/],
  [/^graal\.[A-Z]\w{1,60}$/, /^(true|false|\d{1,9})$/],
]

const WHOLE = new Set([
  '-server',
  '--add-modules=jdk.incubator.vector',
  '--enable-native-access=ALL-UNNAMED',
  '--sun-misc-unsafe-memory-access=allow',
  '-Xrs',
])
const COLLECTOR = /^-XX:\+Use(G1|Z|Parallel|Serial|Shenandoah|ConcMarkSweep)GC$/

/** An allowlist: other arguments can run programs, load code, or access files. Throws 422 `software.arguments`. */
export function ownArguments(own: readonly string[], set: ArgumentSet): string[] {
  if (own.length > MOST_ARGUMENTS)
    throw refusal(422, 'software.arguments.too-many', { count: own.length, most: MOST_ARGUMENTS })
  const collectors = own.filter((argument) => COLLECTOR.test(argument))
  for (const argument of own) {
    const problem = problemWith(argument)
    if (problem !== null)
      throw refusal(422, `software.arguments.${problem}`, { argument: shown(argument), most: MOST_LENGTH })
  }
  if (collectors.length > 1)
    throw refusal(422, 'software.arguments.collectors', {
      first: shown(collectors[0] ?? ''),
      second: shown(collectors[1] ?? ''),
    })
  const [collector] = collectors
  if (collector !== undefined && set !== 'default')
    throw refusal(422, 'software.arguments.set', { argument: shown(collector) })
  return [...own]
}

function problemWith(
  argument: string,
): 'too-long' | 'heap' | 'file' | 'code' | 'what-runs' | 'program' | 'unknown' | null {
  if (argument.length > MOST_LENGTH) return 'too-long'
  if (/^-Xm[xs]|^-XX:((Max|Min|Initial)(Heap|RAM)|.*RAMPercentage)/.test(argument)) return 'heap'
  if (argument.startsWith('@')) return 'file'
  if (/^-(javaagent|agentlib|agentpath|Xrun)/.test(argument)) return 'code'
  if (/^-(cp|classpath|jar|Xbootclasspath)|^--(class-path|module|patch-module|upgrade)/.test(argument))
    return 'what-runs'
  if (/^-XX:On/.test(argument)) return 'program'
  return isAllowed(argument) ? null : 'unknown'
}

function isAllowed(argument: string): boolean {
  if (WHOLE.has(argument) || COLLECTOR.test(argument)) return true
  if (/^-X(ss|mn)\d{1,6}[kKmMgG]?$/.test(argument)) return true
  const [, name = '', value = ''] = /^-D([\w.-]{1,120})=(.*)$/.exec(argument) ?? []
  if (name) return PROPERTIES.some((one) => one[0].test(name) && one[1].test(value))
  const [, onOff = ''] = /^-XX:[+-](\w+)$/.exec(argument) ?? []
  if (onOff) return SWITCHES.has(onOff)
  const [, figure = ''] = /^-XX:(\w+)=\d{1,12}(\.\d{1,3})?[kKmMgG]?$/.exec(argument) ?? []
  return FIGURES.has(figure)
}

// eslint-disable-next-line no-control-regex -- these are what must not be in one
const shown = (argument: string) => argument.slice(0, 80).replace(/[\u0000-\u001f\u007f]/g, ' ')

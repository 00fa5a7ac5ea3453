import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { computerMemory } from '../../../host/computer-memory.ts'
import { findJava } from './find-java.ts'
import { heapMb, javaEnvironment, jvmArguments, type JvmArgumentsInput } from './jvm-arguments.ts'

const given = (more: Partial<JvmArgumentsInput> = {}) =>
  jvmArguments({
    limitMb: 4096,
    major: 21,
    set: 'default',
    memory: computerMemory(64 * 1024 ** 3, 0),
    ...more,
  })

describe('memory', () => {
  test.each([
    [512, 307],
    [1024, 614],
    [2048, 1228],
    [4096, 3072],
    [8192, 6144],
    [16384, 12288],
  ])('of a limit of %i MiB the heap takes %i MiB, so that Java has room beside it', (limit, heap) => {
    expect(heapMb(limit)).toBe(heap)
  })

  test('a limit larger than the computer is refused with both figures', () => {
    expect(() => given({ limitMb: 8192, memory: computerMemory(4 * 1024 ** 3, 0) })).toThrow(
      "The memory limit of 8192 MiB is larger than this computer's memory, which is 4096 MiB.",
    )
    expect(given({ limitMb: 4096, memory: computerMemory(4 * 1024 ** 3, 0) })).toEqual([
      '-Xms512M',
      '-Xmx3072M',
    ])
  })
})

describe('sets of arguments', () => {
  test("Aikar's takes all of the heap at once, and has other figures for a large one", () => {
    expect(given({ set: 'aikar' })).toEqual(
      expect.arrayContaining([
        '-Xms3072M',
        '-Xmx3072M',
        '-XX:G1NewSizePercent=30',
        '-XX:G1HeapRegionSize=8M',
      ]),
    )
    expect(given({ set: 'aikar', limitMb: 20_000 })).toEqual(
      expect.arrayContaining(['-XX:G1NewSizePercent=40', '-XX:G1HeapRegionSize=16M']),
    )
  })

  test.each([
    [17, false],
    [21, true],
    [22, true],
    [23, false],
    [25, false],
  ])('ZGC of Java %i is told to be generational: %s', (major, told) => {
    const args = given({ set: 'zgc', major })
    expect(args).toContain('-XX:+UseZGC')
    expect(args.includes('-XX:+ZGenerational')).toBe(told)
  })

  test('ZGC is refused for a Java that has none', () => {
    expect(() => given({ set: 'zgc', major: 8 })).toThrow(
      'needs Java 15 or newer, and this server runs with Java 8',
    )
  })

  test.skipIf(process.platform !== 'linux')(
    'all of them are taken by the real Javas of this computer',
    async () => {
      const javas = (await findJava()).filter(({ home }) => home.startsWith('/usr/lib/jvm/'))
      expect(javas, 'a JDK of the distribution, which the tests need').not.toEqual([])
      const own = [
        '-Xss2M',
        '-XX:+UseStringDeduplication',
        '-Dfile.encoding=UTF-8',
        '-XX:MaxMetaspaceSize=256m',
      ]
      for (const { executable, major } of javas)
        for (const set of ['default', 'aikar', 'zgc'] as const) {
          const args = given({ limitMb: 512, set, major, own })
          const ran = spawnSync(executable, [...args, '-version'], { encoding: 'utf8' })
          expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringMatching(/warning|error/i)])
        }
    },
  )
})

describe("somebody's own arguments", () => {
  test.each([
    '-Xss4M',
    '-XX:+UseStringDeduplication',
    '-XX:ParallelGCThreads=4',
    '-XX:MaxMetaspaceSize=512m',
    '-XX:+UseShenandoahGC',
    '-Dfile.encoding=UTF-8',
    '-Duser.timezone=Europe/Berlin',
    '-Dlog4j2.formatMsgNoLookups=true',
    '-Dfml.queryResult=confirm',
    '-Dpaper.playerconnection.keepalive=60',
    '--add-modules=jdk.incubator.vector',
  ])('%s is taken', (argument) => {
    expect(given({ own: [argument] }).at(-1)).toBe(argument)
  })

  test.each([
    ['-Xmx32G', 'the heap follows from the memory limit'],
    ['-XX:MaxRAMPercentage=90', 'the heap follows from the memory limit'],
    ['-XX:OnOutOfMemoryError=reboot', 'it would run a program'],
    ['-XX:OnError=gdb', 'it would run a program'],
    ['-javaagent:plugins/a.jar', 'it would load code'],
    ['-agentpath:/tmp/a.so', 'it would load code'],
    ['-agentlib:jdwp=transport=dt_socket,server=y', 'it would load code'],
    ['@arguments.txt', 'files of arguments are not read'],
    ['-cp', 'what the server runs is not changed here'],
    ['-jar', 'what the server runs is not changed here'],
    ['-Xbootclasspath/a:a.jar', 'what the server runs is not changed here'],
    ['--patch-module=java.base=a.jar', 'what the server runs is not changed here'],
    ['-Djava.class.path=a.jar', 'it is not among those'],
    ['-Djava.system.class.loader=Evil', 'it is not among those'],
    ['-Djava.library.path=/tmp', 'it is not among those'],
    ['-Dlog4j.configurationFile=http://example.org/a.xml', 'it is not among those'],
    ['-Dlog4j2.formatMsgNoLookups=${jndi:ldap://example.org}', 'it is not among those'],
    ['-Dfile.encoding=../x', 'it is not among those'],
    ['-XX:HeapDumpPath=/etc', 'it is not among those'],
    ['-XX:Flags=/tmp/flags', 'it is not among those'],
    ['-XX:ParallelGCThreads=4 -javaagent:a.jar', 'it is not among those'],
    ['-XX:VMOptionsFile=a', 'it is not among those'],
    ['-Xlog:gc:file=/etc/passwd', 'it is not among those'],
    ['-Xss4M\n-javaagent:a.jar', 'it is not among those'],
    ['Evil', 'it is not among those'],
    ['', 'it is not among those'],
    ['-'.repeat(300), 'it is longer than 200 characters'],
  ])('%s is refused, with the reason', (argument, reason) => {
    expect(() => given({ own: ['-Xss4M', argument] })).toThrow(`can't be used: ${reason}`)
  })

  test('two collectors, one beside a set that has its own, and too many arguments are refused', () => {
    expect(() => given({ own: ['-XX:+UseZGC', '-XX:+UseG1GC'] })).toThrow('exclude each other')
    expect(() => given({ own: ['-XX:+UseZGC'], set: 'aikar' })).toThrow('conflicts with the chosen set')
    expect(() => given({ own: Array.from({ length: 51 }, () => '-Xss4M') })).toThrow('at most 50 are taken')
  })
})

test('an environment adds no arguments and no classes', () => {
  const env = {
    _JAVA_OPTIONS: '-Xmx1G',
    JAVA_TOOL_OPTIONS: '-javaagent:a',
    JDK_JAVA_OPTIONS: '@a',
    CLASSPATH: 'a',
    PATH: '/bin',
  }
  expect(javaEnvironment(env)).toEqual({ PATH: '/bin' })
})

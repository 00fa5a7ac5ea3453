import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { temporary } from '../../../host/temporary.fixture.ts'
import { javaProgram } from '../../software/installs/java-program.ts'
import { runInstaller } from '../../software/installs/installer.ts'
import { ProcessDriver } from './process-driver.ts'
import { programEnvironment } from './program-environment.ts'

const run = promisify(execFile)

/** Prints its charsets, language and locale variables, writes letters, creates a folder, and binds a port twice. */
const PROGRAM = `
import java.net.ServerSocket;
import java.nio.file.*;

public class Told {
    public static void main(String[] args) throws Exception {
        for (String key : new String[] { "file.encoding", "sun.jnu.encoding", "user.language", "user.country" })
            System.out.println(key + "=" + System.getProperty(key));
        System.out.println("Gr\\u00f6\\u00dfe \\u2603");
        Files.createDirectory(Paths.get("Welt-\\u00dcben"));
        try (ServerSocket first = new ServerSocket(0)) {
            new ServerSocket(first.getLocalPort());
        } catch (java.io.IOException error) {
            System.out.println(error);
        }
        for (java.util.Map.Entry<String, String> one : System.getenv().entrySet())
            if (one.getKey().matches("LANG|LC_.*")) System.out.println(one.getKey() + "=" + one.getValue());
    }
}
`

const classes = mkdtempSync(path.join(tmpdir(), 'wheelhouse-'))
const jar = path.join(classes, 'told.jar')
const locales = path.join(classes, 'locales')
/** On Debian, locale sources come with the package `locales`. */
const hasFrench = existsSync('/usr/share/i18n/locales/fr_FR')

beforeAll(async () => {
  writeFileSync(path.join(classes, 'Told.java'), PROGRAM)
  await run('javac', ['-encoding', 'UTF-8', 'Told.java'], { cwd: classes })
  await run('jar', ['--create', '--file', jar, '--main-class', 'Told', 'Told.class'], { cwd: classes })
  if (!hasFrench) return
  await run('mkdir', ['-p', locales])
  await run('localedef', ['-i', 'fr_FR', '-f', 'UTF-8', path.join(locales, 'fr_FR.UTF-8')])
}, 120_000)

afterAll(() => rmSync(classes, { recursive: true, force: true }))

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (/^(?:LANG|LC_)/.test(name)) vi.stubEnv(name, undefined)
  return () => vi.unstubAllEnvs()
})

/** Output of the program when started as a server of this software. */
async function told(software: string, jvm: string[] = []) {
  const folder = temporary()
  const lines: string[] = []
  const entry = { form: 'jar', file: path.basename(jar) } as const
  await run('cp', [jar, folder])
  const { language } = await programEnvironment()
  const start = { software, version: '1.21.4', java: 'java', jvm, entry, folder, port: 25565, language }
  const driver = await ProcessDriver.create(temporary(), 60_000)
  const program = await driver.start({ id: 'one' }, javaProgram(start), (more) => void lines.push(...more))
  onTestFinished(() => program.kill())
  const { exitCode } = await new Promise<{ exitCode: number }>((resolve) => program.onExit(resolve))
  return { lines, exitCode, names: readdirSync(folder) }
}

const ALL_RIGHT = ['file.encoding=UTF-8', 'sun.jnu.encoding=UTF-8', 'Größe ☃']

test.skipIf(process.platform === 'win32').each<Record<string, string>>([
  {},
  { LC_CTYPE: 'C.UTF-8' },
  { LC_CTYPE: 'UTF-8' },
  { LANG: '' },
  { LANG: 'C' },
  { LANG: 'POSIX' },
  { LC_ALL: 'C' },
  { LC_ALL: 'C', LANG: 'C.UTF-8' },
  { LANG: 'C.UTF-8', LC_CTYPE: 'POSIX' },
  { LANG: 'de_DE' },
  { LANG: 'de_DE.ISO-8859-1' },
  // This computer lacks these locales, so Java ignores the others too.
  { LANG: 'xx_XX.UTF-8' },
  { LANG: 'C.UTF-8', LC_TIME: 'xx_XX.UTF-8' },
])('programs use UTF-8 for output and file names: %o', async (variables) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const { lines, exitCode, names } = await told('vanilla')
  expect(lines).toEqual(expect.arrayContaining(ALL_RIGHT))
  expect(names).toContain('Welt-Üben')
  expect(exitCode).toBe(0)
})

test('installers use UTF-8 as well', async () => {
  vi.stubEnv('LANG', 'C')
  const lines: string[] = []
  await runInstaller({
    ...{ name: 'It', java: 'java', jar, args: [], folder: temporary() },
    ...{
      signal: AbortSignal.timeout(60_000),
      say: (line) => void lines.push(line.message),
      runs: () => undefined,
    },
  })
  expect(lines).toEqual(expect.arrayContaining(ALL_RIGHT))
})

test("a UTF-8 locale is passed on, other variables aren't", async () => {
  vi.stubEnv('LANG', 'C.UTF-8')
  vi.stubEnv('LC_TIME', 'POSIX')
  vi.stubEnv('LC_SECRET2', 'hidden')
  const { lines } = await told('vanilla')
  expect(lines.filter((line) => /^(?:LANG|LC_)/.test(line)).sort()).toEqual(['LANG=C.UTF-8', 'LC_TIME=POSIX'])
})

test('Fabric and Quilt run in English unless the owner sets a language', async () => {
  for (const software of ['fabric', 'quilt']) {
    expect((await told(software)).lines).toContain('user.language=en')
    expect((await told(software, ['-Duser.language=pl'])).lines).toContain('user.language=pl')
  }
})

test.runIf(hasFrench).each<Record<string, string>>([{ LANG: 'fr_FR.UTF-8' }, { LC_ALL: 'fr_FR.UTF-8' }])(
  'on a French computer, system messages are in English and Java stays French: %o',
  async (variables) => {
    vi.stubEnv('LOCPATH', locales)
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    const english = 'java.net.BindException: Address already in use'
    const { lines } = await told('paper')
    expect(lines).toEqual(expect.arrayContaining([...ALL_RIGHT, english]))
    expect(lines).toEqual(expect.arrayContaining(['user.language=fr', 'user.country=FR']))
    expect((await told('fabric')).lines).toEqual(expect.arrayContaining([english, 'user.language=en']))
  },
)

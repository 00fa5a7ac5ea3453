import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { at, node24, programEnvironment } from './project.js'

/** Code of a script that runs a program as ours do. */
function codeRunning(program: string): string {
  const project = JSON.stringify(pathToFileURL(at('build/scripts/project.js')).href)
  return `
    import { main, node24, run } from ${project}
    await main(async () => (await run(node24(), ['-e', ${JSON.stringify(program)}])).code)`
}

/** Such a script, running, with the lines its program prints. */
function script(program: string): { process: ChildProcess; lines: AsyncIterator<string> } {
  const process = spawn(node24(), ['--input-type=module', '-e', codeRunning(program)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { process, lines: createInterface(process.stdout)[Symbol.asyncIterator]() }
}
const next = async (lines: AsyncIterator<string>) => (await lines.next()).value as string | undefined

const gone = (pid: number) => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

describe.skipIf(process.platform === 'win32')('a program run by a script', () => {
  it('hears of SIGTERM, and its exit code becomes the script’s', async () => {
    const { process, lines } = script(
      `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log(process.pid)`,
    )
    const pid = Number(await next(lines))
    process.kill('SIGTERM')
    const [code] = (await once(process, 'exit')) as [number]
    expect(code).toBe(7)
    expect(gone(pid)).toBe(true)
  })

  it('hears once of a Ctrl-C that reaches the script twice, from the terminal and from npm', async () => {
    const { process, lines } = script(
      `let n = 0; process.on('SIGINT', () => { n += 1; setTimeout(() => process.exit(n), 100) });
       setInterval(() => {}, 1000); console.log('ready')`,
    )
    expect(await next(lines)).toBe('ready')
    process.kill('SIGINT')
    process.kill('SIGINT')
    expect(((await once(process, 'exit')) as [number])[0]).toBe(1)
  })

  it('ends when npm’s shell is killed, which passes no signal on', async () => {
    const program = `setInterval(() => {}, 1000); console.log(process.pid)`
    // The second command keeps the shell from becoming the first one.
    const shell = spawn(
      'sh',
      ['-c', '"$0" --input-type=module -e "$1"; true', node24(), codeRunning(program)],
      {
        env: { ...process.env, npm_lifecycle_event: 'start' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const lines = createInterface(shell.stdout)
    const [pid] = (await once(lines, 'line')) as [string]
    shell.kill('SIGTERM')
    // Its end of the pipe closes when the last of them is gone.
    await once(lines, 'close')
    expect(gone(Number(pid))).toBe(true)
  })

  it('ends when npm itself is killed, whose shell lives on', async () => {
    const program = `setInterval(() => {}, 1000); console.log(process.pid)`
    // A stand-in for npm: it starts a shell, which starts the script.
    const npm = spawn(
      node24(),
      [
        '-e',
        `require('node:child_process').spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', ...process.argv.slice(1)],
           { stdio: 'inherit', env: { ...process.env, npm_lifecycle_event: 'start' } })`,
        node24(),
        codeRunning(program),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const lines = createInterface(npm.stdout)
    const [pid] = (await once(lines, 'line')) as [string]
    npm.kill('SIGKILL')
    await once(lines, 'close')
    expect(gone(Number(pid))).toBe(true)
  })

  it('is the last one where a signal has ended it', async () => {
    const project = JSON.stringify(pathToFileURL(at('build/scripts/project.js')).href)
    const code = `
      import { main, node24, run } from ${project}
      await main(async () => {
        await run(node24(), ['-e', 'setInterval(() => {}, 1000); console.log("first")'])
        return (await run(node24(), ['-e', 'console.log("second")'])).code
      })`
    const process = spawn(node24(), ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface(process.stdout)[Symbol.asyncIterator]()
    expect(await next(lines)).toBe('first')
    process.kill('SIGTERM')
    expect(await next(lines)).toBeUndefined()
  })

  it('that a signal ended gives the code a shell would give', async () => {
    const { process, lines } = script(`setInterval(() => {}, 1000); console.log('ready')`)
    expect(await next(lines)).toBe('ready')
    process.kill('SIGTERM')
    expect(((await once(process, 'exit')) as [number])[0]).toBe(143)
  })
})

it('has the allocator of panel and service return memory, unless somebody has chosen otherwise', () => {
  expect(programEnvironment()).toMatchObject({ MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' })
  vi.stubEnv('MALLOC_ARENA_MAX', '8')
  expect(programEnvironment()).toMatchObject({ MALLOC_ARENA_MAX: '8', MALLOC_TRIM_THRESHOLD_: '131072' })
  vi.unstubAllEnvs()
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serviceLauncher, startKeychainChild } from './child-programs.ts'
import { StandInChild } from '../../../tests/doubles/electron/electron.ts'

vi.mock('electron', () => import('../../../tests/doubles/electron/electron.ts'))

const started = () => {
  const child = StandInChild.started.at(-1)
  if (!child) throw new Error('nothing was started')
  return child
}

describe('the built-in service in Electron', () => {
  it('is a utilityProcess with the arguments it was given', () => {
    serviceLauncher(() => '/build/service.js').launch(['--data', 'x'])
    const [file, args, options] = started().start
    expect([file, args]).toEqual(['/build/service.js', ['--data', 'x']])
    expect(options?.stdio).toEqual(['ignore', 'ignore', 'pipe'])
  })

  it('exchanges messages until it is told to stop listening', () => {
    const service = serviceLauncher(() => 's').launch([])
    const heard: unknown[] = []
    const stop = service.onMessage((message) => heard.push(message))
    started().emit('message', { type: 'ready' })
    stop()
    started().emit('message', { type: 'failed' })
    expect(heard).toEqual([{ type: 'ready' }])
    service.send({ type: 'stop' })
    expect(started().received).toEqual([{ type: 'stop' }])
  })

  it('tells its last words when it ends, also to those who ask later', async () => {
    const service = serviceLauncher(() => 's').launch([])
    const child = started()
    const ends: unknown[] = []
    service.onExit((how) => ends.push(how))
    child.stderr.write('port 1 is taken\n')
    await expect.poll(() => child.stderr.readableLength).toBe(0)
    child.emit('exit', 3)
    service.onExit((how) => ends.push(how))
    expect(ends).toEqual([
      { code: 3, lastWords: 'port 1 is taken' },
      { code: 3, lastWords: 'port 1 is taken' },
    ])
  })

  it('says what is missing where the build is not whole', () => {
    expect(() => serviceLauncher().launch([])).toThrow('Part of the panel is missing: service.')
  })
})

describe('the keychain program in Electron', () => {
  it('is asked and answers', () => {
    const keychain = startKeychainChild(() => 'k')
    const answers: unknown[] = []
    keychain.onAnswer((answer) => answers.push(answer))
    keychain.send({ id: 1, do: 'get', account: 'a' })
    started().emit('message', { id: 1, ok: true, value: null })
    expect(started().received).toEqual([{ id: 1, do: 'get', account: 'a' }])
    expect(answers).toEqual([{ id: 1, ok: true, value: null }])
  })

  it('is ended also where it has only been asked for yet, and runs a moment later', async () => {
    const keychain = startKeychainChild(() => 'k')
    const child = started()
    keychain.kill()
    const real = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    onTestFinished(() => void real.kill('SIGKILL'))
    const ended = once(real, 'exit')
    Object.assign(child, { pid: real.pid })
    child.emit('spawn')
    expect(await ended).toEqual([null, 'SIGKILL'])
  })

  it('tells once that it has ended', () => {
    const keychain = startKeychainChild(() => 'k')
    let ends = 0
    keychain.onEnd(() => (ends += 1))
    started().emit('exit', 1)
    started().emit('exit', 1)
    expect(ends).toBe(1)
    keychain.kill()
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { CommandLine } from './commands.svelte.ts'
import { FixtureMain } from './main.fixture.ts'

let main: FixtureMain
let line: CommandLine
let server = { connectionId: 'c', serverId: '' }

beforeEach(() => {
  server = { connectionId: 'c', serverId: crypto.randomUUID() }
  main = new FixtureMain(server)
  window.panel = main
  line = new CommandLine(server)
})

function type(text: string): void {
  line.text = text
  line.edited()
}

describe('the command line', () => {
  it('sends what is typed, once, without the blanks around it', async () => {
    type('  say hello ')
    await line.send()
    expect(main.sent).toEqual(['say hello'])
    expect(line.text).toBe('')
  })

  it('sends nothing for nothing', async () => {
    type('   ')
    await line.send()
    expect(main.sent).toEqual([])
    expect(line.fault).toBeNull()
  })

  it('keeps a text with line breaks, and sends its lines in order when told to', async () => {
    type('say one\r\nsay two\n\nsay three\n')
    await line.send()
    expect(main.sent).toEqual([])
    expect(line.fault).toEqual({ kind: 'lines', lines: ['say one', 'say two', 'say three'] })
    await line.sendLines()
    expect(main.sent).toEqual(['say one', 'say two', 'say three'])
    expect(line.text).toBe('')
  })

  it('takes a pasted line end after a command for nothing more', async () => {
    type('say one\n')
    await line.send()
    expect(main.sent).toEqual(['say one'])
  })

  it('keeps a text that is too long, and says how long it is', async () => {
    type('x'.repeat(100_000))
    await line.send()
    expect(main.sent).toEqual([])
    expect(line.fault).toEqual({ kind: 'long', length: 100_000 })
    expect(line.text).toHaveLength(100_000)
  })

  it('keeps a text with control characters', async () => {
    type('say \u001b[2J')
    await line.send()
    expect(main.sent).toEqual([])
    expect(line.fault).toEqual({ kind: 'control' })
  })

  it('goes through the commands before and back to the draft', async () => {
    main.before = ['newest', 'older']
    await line.load()
    type('draft')
    line.earlier()
    expect(line.text).toBe('newest')
    line.earlier()
    line.earlier()
    expect(line.text).toBe('older')
    line.later()
    line.later()
    expect(line.text).toBe('draft')
  })

  it('has the command that was just sent as the newest, once', async () => {
    main.before = ['list']
    await line.load()
    for (const text of ['list', 'seed']) {
      type(text)
      await line.send()
    }
    line.earlier()
    expect(line.text).toBe('seed')
    line.earlier()
    expect(line.text).toBe('list')
    line.earlier()
    expect(line.text).toBe('list')
  })

  it('keeps the draft when the tab is left and shown again', () => {
    type('half a thou')
    expect(new CommandLine(server).text).toBe('half a thou')
    expect(new CommandLine({ ...server, serverId: 'other' }).text).toBe('')
  })

  it('puts a command back that could not be sent, and says why', async () => {
    main.failing.set('console.command', { code: 'offline', message: 'no', retryable: true })
    type('say hello')
    await line.send()
    expect(line.text).toBe('say hello')
    expect(line.fault).toMatchObject({ kind: 'failed', command: 'say hello', problem: { code: 'offline' } })
    main.failing.clear()
    await line.send()
    expect(main.sent).toEqual(['say hello'])
    expect(line.fault).toBeNull()
  })

  it.each([
    { code: 'unconfirmed', message: 'No.', retryable: false, unsure: true },
    { code: 'offline', message: 'Cut.', retryable: true, unsure: true },
    { code: 'service-failed', message: '500', retryable: true, unsure: true },
    { code: 'internal', message: '?', retryable: true },
  ] as const)('a command that may have run is not put back to be sent again: $code', async (problem) => {
    main.failing.set('console.command', problem)
    type('stop')
    await line.send()
    expect(line.fault).toMatchObject({ kind: 'unsure', command: 'stop' })
    expect(line.text).toBe('')
    line.earlier()
    expect(line.text).toBe('stop')
  })

  it('does not overwrite what was typed meanwhile with a command that failed', async () => {
    main.failing.set('console.command', { code: 'offline', message: 'no', retryable: true })
    type('first')
    const sent = line.send()
    type('second')
    await sent
    expect(line.text).toBe('second')
    line.earlier()
    expect(line.text).toBe('first')
  })

  it('keeps the lines that were not sent where one of several fails', async () => {
    type('one\ntwo\nthree')
    main.failing.set('console.command', { code: 'offline', message: 'no', retryable: true })
    await line.sendLines()
    expect(line.text).toBe('one\ntwo\nthree')
    expect(main.sent).toEqual([])
  })

  it('sends commands in the order they were typed', async () => {
    const answers: (() => void)[] = []
    const real = main.call.bind(main)
    main.call = async (name, input) => {
      if (name === 'console.command') await new Promise<void>((go) => answers.push(go))
      return real(name, input)
    }
    type('first')
    void line.send()
    type('second')
    const last = line.send()
    await expect.poll(() => answers).toHaveLength(1)
    expect(line.sending).toBe(1)
    answers[0]!()
    await expect.poll(() => answers).toHaveLength(2)
    answers[1]!()
    await last
    expect(main.sent).toEqual(['first', 'second'])
  })
})

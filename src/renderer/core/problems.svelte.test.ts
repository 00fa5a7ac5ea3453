import { afterEach, describe, expect, it } from 'vitest'
import { problemCodes } from '../../contract/bridge/problem.ts'
import { type Sentence, localized } from '../../contract/messages/localized-text.ts'
import { localizedError, type ErrorReport } from '../../contract/messages/error-report.ts'
import { Problem, type ProblemData } from './bridge.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import '../messages/sentences.ts'
import { said, useLanguage } from '../messages/t.svelte.ts'
import { details, inWords, saidAt } from './problems.ts'

afterEach(() => useLanguage('en'))

describe('the words of problems', () => {
  it.each(['en', 'de'] as const)(
    'say what happened and what to do now, for every code (%s)',
    async (language) => {
      await useLanguage(language)
      const said = new Set<string>()
      for (const code of problemCodes) {
        const words = inWords({ code, message: '', retryable: false })
        expect(words.what, code).not.toBe('')
        expect(words.now, code).toMatch(/[.!]$/)
        said.add(words.what)
      }
      expect(said.size).toBe(problemCodes.length)
    },
  )

  it('pass on what the service wrote for people', () => {
    const words = inWords({
      code: 'conflict',
      message: 'Stop the server first.',
      serviceCode: 'server.running',
      retryable: false,
    })
    expect(words.why).toBe('Stop the server first.')
  })

  it('say in German what the built-in service refuses, with its figures, and mark what another one wrote', async () => {
    const port = refusalText('server.port-taken.free', { port: '25565', free: '25566' })
    const of = (error: ErrorReport) =>
      inWords({
        code: 'conflict',
        ...localizedError(error),
        serviceCode: 'server.port-taken',
        retryable: false,
      })
    expect(of(port)).toMatchObject({
      what: 'Port 25565 is in use',
      why: '25566 is free: choose that one, or another.',
      now: '',
    })
    await useLanguage('de')
    const { what, why, whyIn } = of(port)
    expect([what, why, whyIn]).toEqual([
      'Port 25565 wird schon benutzt',
      '25566 ist frei: Wähle diesen oder einen anderen.',
      undefined,
    ])
    // Another service may use the same code for words of its own, or be of another age.
    for (const other of [{}, { sentence: 'server.port-taken.later' }, { sentence: port.sentence }]) {
      const { why, whyIn } = of({ message: 'Le port est pris.', ...other })
      expect([why, whyIn]).toEqual(['Le port est pris.', ''])
    }
  })

  it('say alone what is wrong on this computer, whatever its kind', () => {
    const message = "This computer's disk is full, so “a” could not be saved. Free up space and try again."
    const words = inWords({ code: 'too-large', message, serviceCode: 'computer.file', retryable: false })
    expect([words.what, words.why, words.now].join(' ')).not.toContain('service')
    expect(words.why).toBe(message)
  })

  it('keep what was meant for the log out of sight', () => {
    const words = inWords({
      code: 'internal',
      message: 'TypeError: x is undefined',
      logId: 'k3',
      retryable: true,
    })
    expect([words.what, words.why, words.now].join(' ')).not.toContain('TypeError')
  })

  it('say how long to wait where the service told', () => {
    const words = inWords({ code: 'rate-limited', message: '', retryAfter: 1.2, retryable: true })
    expect(words.now).toBe('Try again in 2 seconds.')
  })

  it('say of a service that shuts down that it is not available, once, and what another one says of that', () => {
    const away = { code: 'service-failed', detail: 'not-now', retryable: true } as const
    const stopping = inWords({ ...away, message: 'It is shutting down.', serviceCode: 'service.stopping' })
    expect(stopping).toMatchObject({ what: 'The service isn’t available right now', why: null })
    const other = inWords({ ...away, message: 'Back at noon.', serviceCode: 'maintenance' })
    expect(other).toMatchObject({ what: 'The service isn’t available right now', why: 'Back at noon.' })
  })

  it('say of a service without room that it has none, and what to do, once', () => {
    const full = { code: 'service-failed', detail: 'no-room', retryable: false } as const
    const unsaid = inWords({ ...full, message: 'No space.' })
    expect([unsaid.what, unsaid.now]).toEqual([
      'The service has no space left for this',
      'Free up space there, or ask the people who run the service to. Then try again.',
    ])
    const own = localizedError(refusalText('service.disk-full'))
    expect(inWords({ ...full, ...own, serviceCode: 'service.disk-full' }).now).toBe('')
  })

  it('of a file that cannot be used localized what to do with it, and not to check what nobody has entered', () => {
    const given = { code: 'invalid', retryable: false, serviceCode: 'extensions.unreadable' } as const
    const said = inWords({
      ...given,
      ...localizedError(refusalText('extensions.unreadable.damaged', { name: 'a.jar' })),
    })
    expect(said).toMatchObject({
      what: 'Nothing was added, because “a.jar” is damaged or incomplete',
      why: 'Download it again.',
      now: '',
    })
    const words = 'Check what you entered and try again.'
    expect(inWords({ ...given, message: 'Is no jar.', serviceCode: 'other' }).now).toBe(words)
    expect(inWords({ ...given, message: '' }).now).toBe(words)
  })

  it('name the field that did not fit', () => {
    const words = inWords({ code: 'incompatible', message: 'x', detail: 'items.3.name', retryable: false })
    expect(words.why).toContain('items.3.name')
  })

  it('give everything known as details to copy', () => {
    const text = details({ code: 'internal', message: 'TypeError', logId: 'k3', retryable: true })
    expect(text).toContain('code: internal')
    expect(text).toContain('message: TypeError')
    expect(text).toContain('logId: k3')
  })
})

describe('what main says', () => {
  const tooLarge = localized('send.too-large', {
    name: 'world.zip',
    size: 1.5 * 2 ** 30,
    most: 100 * 2 ** 20,
  })

  it('is shown in the language of the window, with sizes and numbers as that writes them', async () => {
    expect(tooLarge.message).toBe('“world.zip” is 1.5 GB. This service accepts files up to 100 MB.')
    expect(said(tooLarge)).toBe(tooLarge.message)
    await useLanguage('de')
    expect(said(tooLarge)).toMatch(
      /^„world.zip“ ist 1,5\sGB groß. Dieser Dienst nimmt Dateien bis 100\sMB an.$/,
    )
    expect(said(localized('send.too-many', { most: 200_000 }))).toContain('mehr als 200.000 Dateien')
  })

  it('is shown as it came where a service said it, or a panel with other sentences', async () => {
    await useLanguage('de')
    expect(said({ message: 'Stop the server first.' })).toBe('Stop the server first.')
    const text = { key: 'send.of-another-age', values: { size: 1 } } as unknown as Sentence
    expect(said({ message: 'As it was said then.', text })).toBe('As it was said then.')
  })

  it('is the reason of a problem, also of one that was thrown', async () => {
    await useLanguage('de')
    const data = { code: 'too-large', ...tooLarge, serviceCode: 'files.too-large', retryable: false } as const
    for (const problem of [data, new Problem(data)])
      expect(inWords(problem).what).toMatch(/ist 1,5\sGB groß$/)
    expect(details(data)).toContain('message: “world.zip” is 1.5 GB.')
  })

  it('stands at the field it is about', async () => {
    await useLanguage('de')
    const why = localized('base-address.slashes')
    const problem: ProblemData = {
      code: 'bad-address',
      ...why,
      fields: { baseUrl: [why.message] },
      retryable: false,
    }
    expect(inWords(problem).why).toMatch(/^In der Adresse/)
    expect(saidAt(problem, 'baseUrl')).toMatch(/^In der Adresse/)
    expect(saidAt({ ...problem, fields: { port: ['Taken.'] } }, 'port')).toBe('Taken.')
    const fieldTexts = { port: { key: 'refused.request.invalid.at-most' as const, values: { most: 65_535 } } }
    expect(saidAt({ ...problem, fields: { port: ['Too much.'] }, fieldTexts }, 'port')).toBe(
      'Gib eine Zahl ein, die höchstens 65.535 ist.',
    )
    expect(saidAt(problem, 'port')).toBe(null)
  })
})

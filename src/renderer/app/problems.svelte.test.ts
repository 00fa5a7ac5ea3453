import { afterEach, describe, expect, it } from 'vitest'
import { problemCodes } from '../../contract/bridge/problem.ts'
import { useLanguage } from '../messages/t.svelte.ts'
import { details, inWords } from './problems.ts'

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

  it('say alone what is wrong on this computer, whatever its kind', () => {
    const message = 'The disk of this computer is full, so “a” could not be kept. Make room and try again.'
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

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Drafts } from './drafts.ts'
import { keepDraftsOf } from './index.ts'

const server = { connectionId: 'c', serverId: 's' }
const draft = (text: string, at = 1) => ({ text, etag: '"1"', at })

beforeEach(() => sessionStorage.clear())
afterEach(() => sessionStorage.clear())

describe('drafts', () => {
  it('are there again after a reload, each for its own file', () => {
    new Drafts(sessionStorage).keep(server, 'a.yml', draft('mine'))
    const again = new Drafts(sessionStorage)
    expect(again.read(server, 'a.yml')).toEqual(draft('mine'))
    expect(again.read(server, 'b.yml')).toBeNull()
    expect(again.read({ ...server, serverId: 'other' }, 'a.yml')).toBeNull()
    again.remove(server, 'a.yml')
    expect(again.read(server, 'a.yml')).toBeNull()
  })

  it('of a connection that is gone are forgotten, the others stay', () => {
    const drafts = new Drafts(sessionStorage)
    const other = { connectionId: 'other', serverId: 's' }
    drafts.keep(server, 'a.yml', draft('mine'))
    drafts.keep(other, 'a.yml', draft('of the other'))
    keepDraftsOf(sessionStorage, new Set(['other']))
    expect(drafts.read(server, 'a.yml')).toBeNull()
    expect(drafts.read(other, 'a.yml')?.text).toBe('of the other')
  })

  it('give way to newer ones when there is no more room, and touch nothing else', () => {
    sessionStorage.setItem('theme', 'dark')
    const drafts = new Drafts(sessionStorage, 1000)
    expect(drafts.keep(server, 'new', draft('x'.repeat(400), 20))).toBe(true)
    expect(drafts.keep(server, 'old', draft('x'.repeat(400), 10))).toBe(true)
    expect(drafts.keep(server, 'third', draft('x'.repeat(400), 30))).toBe(true)
    expect(drafts.read(server, 'old')).toBeNull()
    expect(drafts.read(server, 'new')?.text).toHaveLength(400)
    expect(drafts.read(server, 'third')?.text).toHaveLength(400)
    expect(sessionStorage.getItem('theme')).toBe('dark')
  })

  it('say so when a text is too long to be kept, and keep no older one for it', () => {
    const drafts = new Drafts(sessionStorage, 1000)
    drafts.keep(server, 'a', draft('short'))
    expect(drafts.keep(server, 'a', draft('x'.repeat(2000)))).toBe(false)
    expect(drafts.read(server, 'a')).toBeNull()
  })

  it('make room where the browser keeps less than was thought', () => {
    const drafts = new Drafts(sessionStorage, 20_000_000)
    const long = 'x'.repeat(3_000_000)
    expect(drafts.keep(server, 'first', draft(long, 1))).toBe(true)
    expect(drafts.keep(server, 'second', draft(long, 2))).toBe(true)
    expect(drafts.read(server, 'second')?.text).toHaveLength(long.length)
    expect(drafts.read(server, 'first')).toBeNull()
  })

  it('are nothing where something else stands in their place', () => {
    new Drafts(sessionStorage).keep(server, 'a', draft('x'))
    const key = sessionStorage.key(0)!
    for (const value of ['', '{', 'null', '{"text":1,"at":2}']) {
      sessionStorage.setItem(key, value)
      expect(new Drafts(sessionStorage).read(server, 'a')).toBeNull()
    }
  })
})

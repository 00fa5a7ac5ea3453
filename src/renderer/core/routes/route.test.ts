import { describe, expect, it } from 'vitest'
import { href, parseRoute, useTabs, type Route } from './route.ts'

useTabs(['overview', 'console', 'files', 'settings'], ['general', 'software'])

describe('routes', () => {
  const routes: Exclude<Route, { view: 'unknown' }>[] = [
    { view: 'home' },
    { view: 'sign-in', connectionId: null },
    { view: 'sign-in', connectionId: 'a/b' },
    { view: 'connection', connectionId: 'local' },
    { view: 'create', connectionId: 'local' },
    { view: 'server', connectionId: 'c 1', serverId: 'ä#/?%', tab: 'console' },
    { view: 'server', connectionId: 'c', serverId: 's', tab: 'files', path: 'world/a b#?%&=+é' },
    {
      view: 'server',
      connectionId: 'c',
      serverId: 's',
      tab: 'files',
      path: '世界/ملف',
      file: '世界/ملف/🌍.txt',
      line: 7,
    },
    { view: 'server', connectionId: 'c', serverId: 's', tab: 'files', trash: true },
    { view: 'server', connectionId: 'c', serverId: 's', tab: 'settings' },
    { view: 'server', connectionId: 'c', serverId: 's', tab: 'settings', section: 'software' },
    { view: 'accounts' },
    { view: 'accounts', connectionId: 'a/b' },
    { view: 'accounts', connectionId: 'c', section: 'devices' },
    { view: 'notifications' },
    { view: 'settings' },
  ]

  it.each(routes)('come back from their own address: $view', (route) => {
    expect(parseRoute(href(route))).toEqual(route)
  })

  it.each(['', '#', '#/'])('begin at home for %j', (hash) => {
    expect(parseRoute(hash)).toEqual({ view: 'home' })
  })

  it('keep no place among the files in the address of another tab', () => {
    const route = { view: 'server', connectionId: 'c', serverId: 's', path: 'world' } as const
    expect(href({ ...route, tab: 'console' })).toBe('#/c/c/s/s/console')
  })

  it('lead to the section of settings that was a tab', () => {
    expect(parseRoute('#/c/local/s/7/software')).toEqual(parseRoute('#/c/local/s/7/settings/software'))
  })

  it('keep no section in the address of another tab', () => {
    const route = { view: 'server', connectionId: 'c', serverId: 's', section: 'software' } as const
    expect(href({ ...route, tab: 'console' })).toBe('#/c/c/s/s/console')
  })

  it('show the overview where a server is named without a tab', () => {
    expect(parseRoute('#/c/local/s/7')).toMatchObject({ view: 'server', tab: 'overview' })
  })

  it.each([
    '#/nope',
    '#/c',
    '#/c//',
    '#/c/x/s',
    '#/c/x/s/y/nope',
    '#/c/x/s/y/console/more',
    '#/c/x/s/y/console/software',
    '#/c/x/s/y/settings/more',
    '#/c/x/s/y/settings/software/more',
    '#/settings/more',
    '#/accounts/c/devices/more',
  ])('are unknown for %s', (hash) => {
    expect(parseRoute(hash)).toEqual({ view: 'unknown' })
  })

  it('survive an address that is wrongly encoded', () => {
    expect(parseRoute('#/c/%E0%A4%A')).toEqual({ view: 'connection', connectionId: '%E0%A4%A' })
  })
})

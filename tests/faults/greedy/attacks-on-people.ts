import type { Attack } from './attacks.ts'
import { told } from './hands.ts'

const READ = { scopes: ['server.read'] }

/** Ways to ask for more than one's share of mails to others, and of a server's activity log. */
export const attacksOnPeople: Attack[] = [
  {
    name: 'invitations to a hundred addresses, and to one again and again',
    act: async (hands, until) => {
      let at = 0
      return told(
        await hands.again(16, until, () => {
          const name = at++ % 2 === 0 ? 'victim' : `guest${at % 100}`
          return hands.ask('POST', '/servers/access/:id', { ...READ, email: `${name}@example.org` })
        }),
      )
    },
  },
  {
    name: 'what is refused again and again, so that the activity log is full of it',
    act: async (hands, until) => {
      let at = 0
      return told(
        await hands.again(60, until, () => hands.ask('POST', '/servers/files/copy/:id', { items: [{ from: `none${at++}`, to: 'b' }] })), // prettier-ignore
      )
    },
  },
  {
    name: 'the activity log as a file and in pages, twenty of each at once',
    act: async (hands, until) => {
      const what = ['export/:id?format=csv', ':id?limit=200', 'people/:id']
      let at = 0
      return told(
        await hands.again(60, until, () => hands.ask('GET', `/servers/activity/${what[at++ % what.length]}`)),
      )
    },
  },
]

import { loaded } from '../base/loaded.ts'

export const openTo = loaded({
  'open-to.who': 'Who can connect',
  'open-to.computer': 'Only this computer',
  'open-to.network': 'Everyone in your network',
  'open-to.computer-text': 'Nobody else can join.',
  'open-to.network-text': 'From the internet too, once your router forwards the port.',
  'open-to.elsewhere-computer': 'Only programs on the server’s computer',
  'open-to.elsewhere-network': 'Everyone who can reach the server’s computer',
  'open-to.elsewhere-computer-text': 'Players can join only through a proxy that runs there.',
  'open-to.elsewhere-network-text': 'The firewall there has to let the port through.',
  'open-to.runs-computer': 'Only the server’s computer can connect until the next start.',
  'open-to.runs-network': 'Everyone who can reach the server’s computer can connect until the next start.',
  'open-to.names-open':
    'This server doesn’t check accounts itself (online-mode is off). Unless it takes players only from a proxy, whoever reaches it can join under any name, including yours.',
  'open-to.names-demo':
    'The demo doesn’t check accounts: whoever reaches it can join under any name, including yours.',

  'open-to.how': 'How to connect',
  'open-to.title': 'How to connect to {name}',
  'open-to.way-computer': 'This computer',
  'open-to.way-elsewhere': 'The server’s own computer',
  'open-to.way-network': 'Your network',
  'open-to.way-network-elsewhere': 'The server’s network',
  'open-to.way-internet': 'The internet',
  'open-to.joined': 'Works: somebody joined this way {ago}.',
  'open-to.answers': 'Works.',
  'open-to.open': 'Open. Nobody has joined this way yet.',
  'open-to.silent': 'The server doesn’t answer at this address.',
  'open-to.unknown': 'Nobody has joined this way yet.',
  'open-to.down': 'Start the server to see whether it works.',
  'open-to.router':
    'Forward TCP port {port} in your router to {host}. Then friends join at your public address, which your router shows.',
  'open-to.router-bare':
    'Forward TCP port {port} in your router to this computer. Then friends join at your public address, which your router shows.',
  'open-to.closed': 'Only programs on this computer can connect. To let others join, change who can connect.',
  'open-to.closed-elsewhere':
    'Only programs on the server’s own computer can connect. To let others join, change who can connect.',
  'open-to.change': 'Change who can connect',
  'open-to.firewall':
    'If others can’t join, the firewall of this computer may keep them out: allow Java to accept connections.',
  'open-to.unread': 'How to connect couldn’t be read',
} as const)

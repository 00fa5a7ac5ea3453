/** About the computers on which servers run, where there are several. */
export const nodeRefusals = {
  'refused.node.owner': 'Only the owner of this service can see and change its computers. Ask them.',
  'refused.node.none': 'This service runs servers on one computer only. Start it with a swarm first.',
  'refused.node.not-found': 'This computer is no longer part of the swarm. Reload the list.',
  'refused.node.not-reached':
    'This computer cannot be reached, so its servers cannot be restarted from here. Start each of them elsewhere from its own page.',
  'refused.node.not-told':
    'The swarm did not answer about its computers ({why}). Check that its manager is on, then try again.',
  'refused.node.not-offered': 'There is no computer “{node}” here. Choose one of the list.',
  'refused.node.server-owner': 'Only the owner of a server can choose the computer it runs on. Ask them.',
  'refused.node.not-gone':
    'The computer of this server is not known to be lost, so the server was not given up. Stop or restart it as usual.',
  'refused.server.maybe-running':
    'This server was still running a moment ago, so it was not given up. Switch off the computer it runs on, wait a minute, then try again.',
} as const

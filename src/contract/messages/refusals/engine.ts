/** About containers and the engine that runs them. */
export const engineRefusals = {
  'refused.engine.none':
    'This server runs in a container, but this service has no container engine. Start the service with one, or turn the container off in the settings.',
  'refused.engine.not-offered': 'This service has no container engine. Start it with --docker-image first.',
  'refused.engine.owner': 'Only the owner of a server can change whether it runs in a container.',
  'refused.engine.not-reached':
    'The container engine at {address} cannot be reached ({why}). Start it, then start the server again.',
  'refused.engine.not-reached.search':
    'The container engine at {address} cannot be reached ({why}), so it isn’t known whether this server is running. Start the engine: the server is found without a restart of the service.',
  'refused.engine.denied':
    'The service may not use the container engine at {address}. Add its user to the group that owns it, such as docker.',
  'refused.engine.no-image':
    'The container engine does not have the image {image}. Run “docker pull {image}” on its computer, then start the server again.',
  'refused.engine.full': 'The disk of the container engine is full. Free up space on it.',
  'refused.engine.runs-already':
    'The container {container} already runs, so the server was not started a second time. Stop that container, or restart the service.',
  'refused.engine.failed':
    'The container could not be started ({why}). The log of the container engine may say more.',
  'refused.engine.no-manager':
    'The container engine is no manager of a swarm. Run “docker swarm init” on its computer, or start the service without --docker-swarm.',
  'refused.node.only-here':
    'This server is open to its own computer only, which servers on several computers can’t be. Let everyone connect in its settings.',
  'refused.node.engine-not-reached':
    'The container engine of {node} at {address} cannot be reached ({why}). Let it listen there with TLS, then start the server again.',
  'refused.node.no-room':
    'No computer of the swarm can take this server now ({why}). Make room on one, then start it again.',
  'refused.node.cannot':
    'The computer {node} can’t take this server now ({why}). Make room there, or choose another computer in its settings.',
  'refused.node.no-path':
    'The computer that was to run this server has no {path}. Every computer of the swarm needs the service’s folder and Java at the same path.',

  'refused.console.memory-unlimited':
    'The container engine cannot limit memory here: a server may use more than it is given.',
  'refused.console.cpu-unlimited': 'The container engine cannot limit processors here.',
  'refused.console.proxy-unreached':
    'From its container, this proxy cannot reach {addresses}. It reaches servers of the same owner that run in containers, too: name them as 127.0.0.1 with their port.',
} as const

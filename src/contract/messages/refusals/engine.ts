/** About containers and the engine that runs them. */
export const engineRefusals = {
  'refused.engine.none':
    'This server runs in a container, but this service has no container engine. Start the service with one, or turn the container off in the settings.',
  'refused.engine.not-offered':
    'This service has no container engine. Start it with --docker-image first; proxies always run without a container.',
  'refused.engine.owner': 'Only the owner of a server can change whether it runs in a container.',
  'refused.engine.not-reached':
    'The container engine at {address} cannot be reached ({why}). Start it, then start the server again.',
  'refused.engine.denied':
    'The service may not use the container engine at {address}. Add its user to the group that owns it, such as docker.',
  'refused.engine.no-image':
    'The container engine does not have the image {image}. Run “docker pull {image}” on its computer, then start the server again.',
  'refused.engine.full': 'The disk of the container engine is full. Free up space on it.',
  'refused.engine.runs-already':
    'The container {container} already runs, so the server was not started a second time. Stop that container, or restart the service.',
  'refused.engine.failed':
    'The container could not be started ({why}). The log of the container engine may say more.',

  'refused.console.memory-unlimited':
    'The container engine cannot limit memory here: a server may use more than it is given.',
  'refused.console.cpu-unlimited': 'The container engine cannot limit processors here.',
} as const

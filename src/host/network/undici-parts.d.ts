declare module 'undici/lib/api/index.js' {
  import { Dispatcher } from 'undici'
  const methods: Pick<Dispatcher, 'connect' | 'pipeline' | 'request' | 'stream' | 'upgrade'>
  export default methods
}
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  export { ProxyAgent as default } from 'undici'
}
declare module 'undici/lib/dispatcher/dispatcher.js' {
  export { Dispatcher as default } from 'undici'
}
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici'
  export default errors
}

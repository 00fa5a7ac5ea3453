// The parts of undici that are used. Its entry loads its fetch, caches, cookies and mocks too: more code than the rest of
// main has, at every start.
import api from 'undici/lib/api/index.js'
import buildConnector from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'

// As its entry does: `request` and the others are methods of each dispatcher.
Object.assign(Dispatcher.prototype, api)

export { Agent, buildConnector, Dispatcher, EnvHttpProxyAgent, ProxyAgent }

// undici's entry also loads fetch, caches, cookies and mocks, more code than the rest of main.
import api from 'undici/lib/api/index.js'
import buildConnector from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'

// As undici's entry does: makes `request` and others methods of each dispatcher.
Object.assign(Dispatcher.prototype, api)

export { Agent, buildConnector, Dispatcher, ProxyAgent }

/**
 * Loaded into the server by `node --import`: every commit takes 10 ms longer, as on a slow disk, during which nothing else of
 * the process runs. The server's own code knows nothing of it.
 */
import { register } from 'node:module'

register(new URL('slow-driver-hook.mjs', import.meta.url))

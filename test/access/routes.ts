import { openDoors } from '../../src/doors/open-doors.ts'
import { type FarmUnderTest, moveJobFor } from '../harness/farm.ts'

/** Every route of the server, as `METHOD /path`, without the methods that the HTTP library adds by itself. */
export async function routesOf(farm: FarmUnderTest): Promise<string[]> {
  const app = await openDoors(farm.installation, moveJobFor(farm.installation), () => {})
  await app.ready()
  const lines = app.printRoutes({ commonPrefix: false }).split('\n')
  await app.close()
  const routes: string[] = []
  const path: string[] = []
  for (const line of lines) {
    const [, indent = '', segment = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \(([A-Z, ]+)\)/.exec(line) ?? []
    if (segment === '') continue
    const depth = indent.length / 4
    path.length = depth
    path[depth] = segment
    // The tree leaves out the slash between a parameter and a wildcard.
    const address = path.join('').replace(/(:\w+)\*$/, '$1/*')
    for (const method of methods.split(', ')) if (method !== 'HEAD') routes.push(`${method} ${address}`)
  }
  return routes.sort()
}

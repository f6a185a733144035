import { html } from '../http/html.ts'

/** For whoever would rather see a farm at work first: nothing is sent and nothing is kept here. */
export const demoLink = html`
<p><a href="/app/?demo=1">Look around in a demo farm</a></p>
<p class="soft">It opens in this browser only. Nothing of it reaches this farm.</p>`

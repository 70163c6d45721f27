import { chromium } from 'playwright-core';
import { preview } from 'vite';
const server = await preview({ configFile: process.cwd()+'/web/vite.config.ts', preview: { port: 0, host: '127.0.0.1' } });
const b = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox','--disable-gpu'] });
const out=process.argv[2];
for (const [name,vp,scheme] of [['d',{width:1440,height:900},'light'],['m',{width:390,height:844},'dark']]) {
  const ctx=await b.newContext({viewport:vp,colorScheme:scheme,serviceWorkers:'block',...(name==='m'?{isMobile:true,hasTouch:true}:{})});
  for (const [i,h] of process.argv.slice(3).entries()) { const p=await ctx.newPage(); await p.goto(server.resolvedUrls.local[0]+h); await p.getByRole('grid').first().waitFor(); await p.waitForTimeout(1500); await p.screenshot({path:`${out}-${name}-${i}.png`}); await p.close(); }
}
await b.close(); await server.close(); process.exit(0);

import { servePages } from '/work/main/test/sites/pages/serve-pages.ts';
import { openBrowserRenderer } from '/work/main/src/capture/browser/index.ts';
import { findChromium } from '/work/main/src/capture/browser/find-chromium.ts';
import { chromium } from 'playwright-core';
const site=await servePages(); const N=Number(process.argv[2]??40);
const med=(a:number[])=>a.sort((x,y)=>x-y)[a.length>>1]!;
const found=await findChromium();
const doc=(await (async()=>{ const b=Buffer.from(await (await fetch(site.base+'/simple.html')).arrayBuffer()); return {url:site.base+'/simple.html',startedAt:0,finishedAt:0,request:{method:'GET',headers:[],head:new Uint8Array(),body:{} as any},response:{status:200,headers:[['Content-Type','text/html']] as any,head:new Uint8Array(),body:{size:b.length,bytes:b,async *chunks(){yield b},release:async()=>{}},framing:'identity' as const},road:'http' as const,protocols:[]}; })());
async function ours(tabs:number,screenshots:boolean,page:string,document?:any){ const steps:Record<string,number[]>={};
 const r=await openBrowserRenderer({extraFlags:(process.env.FLAGS??'').split(' ').filter(Boolean),tabs,onStep:(u,s,d)=>(steps[s]??=[]).push(d)}); const one=()=>r.render({url:site.base+page,userAgent:'x',timeLimit:30000,sizeLimit:1e8,screenshots,...(document?{document}:{})});
 await one(); await one(); for (const k in steps) steps[k]=[]; const t=performance.now(); let i=0; await Promise.all(Array.from({length:tabs},async()=>{while(i++<N) await one();})); const ms=(performance.now()-t)/N;
 await r.close(); return `ours tabs=${tabs} shots=${screenshots} ${page}${document?' given':''}: ${ms.toFixed(0)} ms/page; medians ${Object.entries(steps).map(([k,v])=>k+' '+med(v).toFixed(0)).join(', ')}`; }
async function pw(tabs:number,page:string,shots:boolean){ const b=await chromium.launch({executablePath:found.path,headless:true,args:['--no-sandbox','--lang=en-US']}); const c=await b.newContext({viewport:{width:1280,height:800}});
 const one=async()=>{const p=await c.newPage(); await p.goto(site.base+page,{waitUntil:'load'}); await p.evaluate(()=>JSON.stringify([...document.querySelectorAll('a')].map(a=>a.href))); if(shots) await p.screenshot({fullPage:true,type:'jpeg'}); await p.close();}; await one(); await one();
 const t=performance.now(); let i=0; await Promise.all(Array.from({length:tabs},async()=>{while(i++<N) await one();})); const ms=(performance.now()-t)/N; await b.close(); return `playwright newPage+load (nothing recorded) tabs=${tabs} shots=${shots} ${page}: ${ms.toFixed(0)} ms/page`; }
for (const tabs of [1,2]) { console.log(await ours(tabs,true,'/simple.html')); console.log(await ours(tabs,true,'/simple.html',doc)); console.log(await ours(tabs,false,'/simple.html')); console.log(await pw(tabs,'/simple.html',false)); console.log(await pw(tabs,'/simple.html',true)); }
site.close();

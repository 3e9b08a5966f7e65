/** Colours are told apart by colour-blind readers, too (Okabe and Ito 2008): green, vermilion, yellow, blue. */
export const STYLE = `
:root{--insert:#009e73;--delete:#d55e00;--update:#e69f00;--move:#0072b2;color-scheme:light}
*{box-sizing:border-box}body{margin:0;font:15px/1.45 system-ui,sans-serif;color:#1c1c1c;background:#f6f5f2}
header{padding:16px 20px;background:#fff;border-bottom:1px solid #ddd}h1{margin:0;font-size:20px}
h2{font-size:14px;margin:0 0 8px;color:#444}time{font-weight:400;color:#666}.url{margin:2px 0 8px;color:#666;overflow-wrap:anywhere}
.meter{position:relative;max-width:420px;height:26px;border-radius:5px;background:#e6e4de;overflow:hidden}
.meter i{position:absolute;inset:0 auto 0 0;background:#5b7a99}.meter b{position:absolute;left:8px;top:2px;z-index:1}
.key{margin:10px 0 0}.tag{display:inline-block;padding:0 7px;border-radius:9px;font-size:12px;background:#ddd;margin-right:6px}
.tag.insert{background:var(--insert);color:#fff}.tag.delete{background:var(--delete);color:#fff}
.tag.update{background:var(--update)}.tag.move{background:var(--move);color:#fff}
main{display:grid;grid-template-columns:minmax(260px,1fr) 1.3fr 1.3fr;gap:16px;padding:16px 20px;align-items:start}
.list{position:sticky;top:0;max-height:100vh;overflow:auto;padding-right:6px}.side{min-width:0}
ol{list-style:none;margin:0;padding:0}li{background:#fff;border:1px solid #e2e0da;border-left:4px solid #bbb;border-radius:4px;padding:6px 8px;margin-bottom:6px;cursor:pointer}
li.insert{border-left-color:var(--insert)}li.delete{border-left-color:var(--delete)}li.update{border-left-color:var(--update)}li.move{border-left-color:var(--move)}
li:hover,li:focus{outline:2px solid #5b7a99}.place{color:#444;font-size:12px}.sum{margin:2px 0 8px;font-size:16px}.shown{display:block;width:100%}.weight{float:right;font-variant-numeric:tabular-nums;color:#666;font-size:12px}
.what{overflow-wrap:anywhere;margin-top:2px}.what p{margin:4px 0 0}ins{background:#cdeee2;text-decoration:none}del{background:#fadbc8}
details{margin-top:12px}summary{cursor:pointer;color:#444;margin-bottom:6px}
.page{position:relative;border:1px solid #ccc;background:#fff;overflow:hidden}.page img{display:block;width:100%}
.drawn{position:relative;width:100%}.leaf{position:absolute;overflow:hidden;border:1px solid #ddd;font-size:9px;line-height:1.2;padding:1px;color:#555}
.mark{position:absolute;border:2px solid;min-width:6px;min-height:6px}.mark span{position:absolute;right:0;top:0;font-size:10px;color:#fff;padding:0 3px}
.mark.insert{border-color:var(--insert);background:#009e7322}.mark.insert span{background:var(--insert)}
.mark.delete{border-color:var(--delete);background:#d55e0022}.mark.delete span{background:var(--delete)}
.mark.update{border-color:var(--update);background:#e69f0022}.mark.update span{background:var(--update);color:#000}
.mark.move{border-color:var(--move);background:#0072b222}.mark.move span{background:var(--move)}
.mark.on{outline:4px solid #000;z-index:2}
@media(max-width:900px){main{grid-template-columns:1fr}.list{position:static;max-height:none}}
@media print{.list{position:static;max-height:none}main{grid-template-columns:1fr 1fr}.list{grid-column:1/3}}
`;

/** A change that is pointed at shows its blocks; one that is chosen brings them into view. */
export const SCRIPT = `
const marks=new Map();for(const mark of document.querySelectorAll('[data-block]'))marks.set(mark.dataset.block,mark);
for(const item of document.querySelectorAll('[data-blocks]')){
const own=item.dataset.blocks.split(' ').map((ref)=>marks.get(ref)).filter(Boolean);
const light=(on)=>{for(const mark of own)mark.classList.toggle('on',on)};
for(const event of ['mouseenter','focus'])item.addEventListener(event,()=>light(true));
for(const event of ['mouseleave','blur'])item.addEventListener(event,()=>light(false));
item.addEventListener('click',()=>{for(const mark of own)mark.scrollIntoView({block:'center',behavior:'smooth'})});}
`;

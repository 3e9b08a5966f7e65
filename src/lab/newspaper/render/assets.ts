/** Styles and script of the site. */
import { SECTION_IDS, SECTIONS } from '../sections.ts';

const SECTION_COLOURS = SECTION_IDS.map(
  (id) => `#box-${id},.s-${id}{--ink:hsl(${SECTIONS[id].hue} 55% 36%)}`,
).join('\n');

export const SITE_CSS = `@import url("/assets/type.css");
:root{--ink:#7a2318;--paper:#fbf9f4;--line:#d9d2c4;--soft:#6d675d}
*{box-sizing:border-box}
html{background:var(--paper);color:#1f1c18}
body{margin:0 auto;max-width:1180px;padding:0 24px 48px}
a{color:inherit;text-decoration:none}
a:hover{text-decoration:underline}
img{display:block;max-width:100%;height:auto;background:#e8e2d5}
.paper{padding:26px 0 30px;text-align:center;background:url("/assets/waves.svg") bottom center repeat-x}
.paper .name{margin:0}
.menu{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 24px;padding:10px 0;border-top:3px double #1f1c18;border-bottom:1px solid #1f1c18;margin-bottom:22px}
.two{display:grid;grid-template-columns:minmax(0,1fr) 300px;gap:36px}
.one{max-width:760px;margin:0 auto}
.rail{border-left:1px solid var(--line);padding-left:24px}
.rail>*{margin-bottom:26px}
.rule{border-top:2px solid var(--ink);padding-top:8px;margin:0 0 10px;color:var(--ink)}
.b-breaking{display:flex;gap:14px;align-items:baseline;background:#8f1d14;color:#fff;padding:8px 16px;margin-bottom:20px}
.b-breaking .rule{border:0;color:#ffd9a0;padding:0;margin:0}
.b-breaking ul{margin:0;padding:0;list-style:none}
.b-breaking .kicker{display:none}
.b-lead{border-bottom:1px solid var(--line);padding-bottom:20px;margin-bottom:20px}
.b-lead .pic{display:block;margin-bottom:14px}
.b-lead img{width:100%}
.b-top{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:24px;margin-bottom:26px}
.c-section .b-top{grid-template-columns:repeat(2,minmax(0,1fr))}
.b-top .rule{grid-column:1/-1;margin-bottom:-10px}
.b-top img{width:100%;aspect-ratio:16/9;object-fit:cover;margin-bottom:10px}
.boxes{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:30px 24px;margin-top:30px}
.b-section-box article{border-bottom:1px solid var(--line);padding-bottom:10px;margin-bottom:10px}
.b-section-box img{width:100%;aspect-ratio:16/9;object-fit:cover;margin-bottom:10px}
.line{margin:0 0 8px;padding-left:14px;position:relative}
.line::before{content:"";position:absolute;left:0;top:.6em;width:6px;height:6px;background:var(--ink)}
ul,ol{list-style:none;margin:0;padding:0}
li{padding:7px 0;border-bottom:1px solid var(--line)}
li:last-child{border-bottom:0}
#most-read ol{counter-reset:n}
#most-read li{counter-increment:n;display:grid;grid-template-columns:28px 1fr}
#most-read li::before{content:counter(n);font-size:24px;line-height:1;color:var(--soft)}
.b-page-title{border-bottom:1px solid var(--line);margin-bottom:20px}
.b-figure figure{margin:0 0 20px}
.b-figure img{width:100%}
.c-crossword .b-figure img{max-width:420px}
figcaption{padding-top:6px;color:var(--soft)}
.b-correction{background:#f4ecd8;padding:12px 18px;margin:20px 0}
.b-correction p{margin:0 0 6px}
.b-comments{margin-top:28px}
blockquote{margin:0 0 12px;padding:2px 0 2px 14px;border-left:3px solid var(--line)}
blockquote p{margin:2px 0}
table{width:100%;border-collapse:collapse;margin-bottom:22px}
th,td{text-align:left;padding:7px 10px 7px 0;border-bottom:1px solid var(--line)}
.cards{display:grid;grid-template-columns:repeat(4,1fr);gap:14px}
.cards div{background:#f1ede3;padding:12px}
.ad-slot{margin:0 0 22px;text-align:center;color:var(--soft)}
.ad-slot small{display:block;margin-bottom:3px}
.ad-slot img,.ad-slot iframe{margin:0 auto;border:0}
.rail .ad-slot iframe{width:100%}
form{display:grid;gap:12px;max-width:360px}
input{width:100%;padding:7px;font:inherit;border:1px solid var(--line)}
button{padding:8px;font:inherit;border:0;background:#1f1c18;color:var(--paper)}
.foot{border-top:3px double #1f1c18;margin-top:40px;padding-top:14px;text-align:center;color:var(--soft)}
.foot nav{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 18px}
${SECTION_COLOURS}
@media(max-width:820px){.two,.boxes,.b-top,.cards{grid-template-columns:1fr}.rail{border:0;padding:0}}
`;

export const TYPE_CSS = `body{font:17px/1.5 Georgia,"Times New Roman","Liberation Serif","DejaVu Serif",serif}
h1,h2,h3{font-weight:700;line-height:1.15;margin:0 0 8px;letter-spacing:-.01em}
h1{font-size:40px}
.b-lead h2{font-size:38px}
.b-lead p{font-size:19px;margin:0}
h3{font-size:19px}
.rule{font:700 13px/1.2 "Helvetica Neue",Arial,"Liberation Sans","Open Sans",sans-serif;text-transform:uppercase;letter-spacing:.08em}
.paper .name{font-size:58px;line-height:1;font-weight:700;letter-spacing:-.025em}
.b-masthead p{margin:10px 0 0;font-style:italic;color:#6d675d}
.menu,.kicker,.byline,.updated,figcaption,.foot,time,.ad-slot,td,th,.cards{font:14px/1.4 "Helvetica Neue",Arial,"Liberation Sans","Open Sans",sans-serif}
.kicker{display:block;margin:0 0 4px;color:var(--ink);font-size:12px;letter-spacing:.04em}
.b-top p,.b-section-box p{margin:0 0 8px;font-size:15px;line-height:1.42}
.b-top .kicker,.b-section-box .kicker{font-size:12px;margin-bottom:4px}
.standfirst{font-size:21px;line-height:1.35;color:#4b463e;margin:0 0 12px}
.b-body p{margin:0 0 1.05em;hyphens:auto}
.c-article .b-body p:first-of-type::first-letter{font-size:3.1em;float:left;line-height:.85;padding:.06em .08em 0 0;color:var(--ink)}
.rail li,.rail p{font-size:15px;line-height:1.35}
.rail p{margin:0}
.now{font-size:22px!important;font-weight:700}
.b-live time{color:var(--ink);font-weight:700}
.ad-slot small{font-size:10px;letter-spacing:.1em;text-transform:uppercase}
`;

export const SITE_JS = `(function () {
  function fill(host, render) {
    if (!host) return;
    fetch(host.getAttribute('data-source')).then(function (r) { return r.json(); }).then(function (data) { render(host, data.items); });
  }
  function make(tag, text) { var e = document.createElement(tag); if (text) e.textContent = text; return e; }
  fill(document.getElementById('most-read'), function (host, items) {
    var list = make('ol');
    items.forEach(function (item) {
      var li = make('li'), a = make('a', item.text);
      a.href = item.href; li.appendChild(a); list.appendChild(li);
    });
    host.appendChild(list);
  });
  fill(document.getElementById('app'), function (host, items) {
    var table = make('table');
    items.forEach(function (item) {
      var tr = make('tr'), th = make('th', item.text);
      tr.appendChild(th); tr.appendChild(make('td', item.label)); table.appendChild(tr);
    });
    host.appendChild(table);
  });
  var lazy = document.querySelectorAll('img.lazy');
  function load(img) { if (!img.src) img.src = img.getAttribute('data-src'); }
  if (!('IntersectionObserver' in window)) { lazy.forEach(load); return; }
  var seen = new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) { if (entry.isIntersecting) { load(entry.target); seen.unobserve(entry.target); } });
  }, { rootMargin: '200px' });
  lazy.forEach(function (img) { seen.observe(img); });
})();
`;

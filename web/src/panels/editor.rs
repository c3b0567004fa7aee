//! The host on the bench as text: what changes here changes there, and the other way round.

mod code;
mod plain;

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlDetailsElement, HtmlElement};
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab_lab::editor::{About, Described, Wrong, about, followed, merged, text, with_line, wrong};

use crate::msg::Msg;
use code::{Caret, Code, Module, PROBLEMS, Told};

/// How long the reader must pause before the text is read, in ms. Chosen: between two words, hardly between two letters.
const PAUSE_MS: u32 = 400;

/// The data of the editor.
#[derive(Clone, PartialEq, Properties)]
pub struct EditorProps {
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// What came of reading a text.
#[derive(Clone, Debug, PartialEq)]
enum Reading {
    /// There is no text yet.
    Nothing,
    /// The reader still writes.
    Awaited,
    /// It is a host.
    Read,
    /// It is none.
    Wrong(Vec<Wrong>),
}

/// Where the text stands.
enum Surface {
    /// In a plain field, because nobody has opened the pane or the editor is on its way.
    Awaited,
    /// In the editor.
    Code(Module),
    /// In a plain field, because the editor cannot be had, and why.
    Lost(String),
}

/// What happens in the pane.
pub enum Happened {
    /// It was opened or closed.
    Toggled(bool),
    /// The editor is asked for.
    Asked,
    /// The editor's file has come, or cannot be had.
    Came(Result<JsValue, JsValue>),
    /// The editor or the field tells something.
    Told(Told),
    /// The text is to be read.
    Paused,
    /// The reader takes this line in the place of that of the caret.
    Took(String),
    /// The reader looks for this line.
    Sought(usize),
    /// The reader gives up what is written.
    Discarded,
}

/// The pane, folded until the reader opens it.
pub struct Editor {
    is_open: bool,
    /// How often the editor was asked for. Nothing is drawn below the name before the first time.
    tries: u32,
    surface: Surface,
    /// The editor on the page, once its place is drawn.
    code: Option<Code>,
    /// What is shown: the text of the bench, or the reader's own.
    text: String,
    read: Reading,
    /// The host that text and bench both were last.
    agreed: Option<Rc<Scenario>>,
    timer: Option<Timeout>,
    line: usize,
    caret: Caret,
    /// The place of the editor, and the plain field.
    place: NodeRef,
    field: NodeRef,
}

impl Component for Editor {
    type Message = Happened;
    type Properties = EditorProps;

    fn create(_: &Context<Self>) -> Editor {
        Editor {
            is_open: false,
            tries: 0,
            surface: Surface::Awaited,
            code: None,
            text: String::new(),
            read: Reading::Nothing,
            agreed: None,
            timer: None,
            line: 0,
            caret: Caret::default(),
            place: NodeRef::default(),
            field: NodeRef::default(),
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, before: &EditorProps) -> bool {
        if self.is_open && before.scenario != ctx.props().scenario {
            self.follow(&ctx.props().scenario);
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, happened: Happened) -> bool {
        match happened {
            Happened::Toggled(is_open) => {
                self.is_open = is_open;
                if is_open {
                    self.follow(&ctx.props().scenario);
                }
                if is_open && self.tries == 0 {
                    self.ask(ctx);
                }
            }
            Happened::Asked => self.ask(ctx),
            Happened::Came(Ok(module)) => {
                // The editor goes on where the field was.
                self.caret = plain::caret(&self.field);
                self.surface = Surface::Code(module.unchecked_into());
            }
            Happened::Came(Err(why)) => {
                self.code = None;
                self.surface = Surface::Lost(code::said(&why));
            }
            Happened::Told(Told::Text(text)) => self.put(ctx, text),
            Happened::Paused => self.read(ctx),
            Happened::Told(Told::Left) if self.timer.is_some() => self.read(ctx),
            Happened::Told(Told::Left) => return false,
            Happened::Told(Told::Line(line)) if line == self.line => return false,
            Happened::Told(Told::Line(line)) => self.line = line,
            Happened::Took(line) => {
                self.put(ctx, with_line(&self.text, self.line, &line));
                plain::focus(&self.field);
            }
            Happened::Sought(line) => {
                match &self.code {
                    Some(code) => code.select(line),
                    None => plain::select(&self.field, &self.text, line),
                }
                return false;
            }
            Happened::Discarded => {
                self.timer = None;
                self.show_bench(&ctx.props().scenario);
                if let Some(code) = &self.code {
                    code.focus();
                }
            }
        }
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        if let Err(why) = self.show(ctx) {
            ctx.link().send_message(Happened::Came(Err(why)));
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let toggle = ctx.link().callback(|event: Event| {
            Happened::Toggled(event.target_dyn_into::<HtmlDetailsElement>().is_some_and(|details| details.open()))
        });
        html! {
            <details class="editor" id="editor" ontoggle={toggle}>
                <summary>{ "As text" }</summary>
                if self.tries > 0 {
                    if matches!(self.surface, Surface::Code(_)) {
                        <div ref={self.place.clone()} class="code" />
                    } else {
                        { plain::field(&self.field, &self.text, self.problems(), &ctx.link().callback(Happened::Told)) }
                    }
                    <div class="about" aria-live="polite">{ self.explained(ctx) }</div>
                    <div id={PROBLEMS} role="status">{ self.said(ctx) }</div>
                    { self.lost(ctx) }
                }
            </details>
        }
    }
}

impl Editor {
    /// Has the editor's file loaded. The reader can write in the field meanwhile.
    fn ask(&mut self, ctx: &Context<Editor>) {
        self.tries += 1;
        self.surface = Surface::Awaited;
        let tries = self.tries;
        ctx.link().send_future(async move { Happened::Came(code::load(tries).await) });
    }

    /// Puts the editor into its place, once that is drawn, and shows there what the pane has.
    fn show(&mut self, ctx: &Context<Editor>) -> Result<(), JsValue> {
        let (Surface::Code(module), Some(place)) = (&self.surface, self.place.cast::<HtmlElement>()) else { return Ok(()) };
        let mut code = match self.code.take() {
            Some(code) => code,
            None => Code::put(module, &place, &self.text, self.caret, ctx.link().callback(Happened::Told))?,
        };
        code.show(&self.text, self.problems())?;
        self.code = Some(code);
        Ok(())
    }

    /// The reader has written: the text is read when the reader pauses.
    fn put(&mut self, ctx: &Context<Editor>, text: String) {
        if let Some(code) = self.code.as_mut() {
            code.heard(&text);
        }
        (self.text, self.read) = (text, Reading::Awaited);
        let link = ctx.link().clone();
        // The one before is given up.
        self.timer = Some(Timeout::new(PAUSE_MS, move || link.send_message(Happened::Paused)));
    }

    /// Reads the text: the bench gets the host, or the reader is told what is wrong. What was turned since text and bench were the same is
    /// in the text then.
    fn read(&mut self, ctx: &Context<Editor>) {
        self.timer = None;
        self.take_turns(&ctx.props().scenario);
        self.read = match Scenario::parse(&self.text) {
            Ok(scenario) => {
                self.agreed = Some(Rc::new(scenario.clone()));
                ctx.props().on.emit(Msg::PutScenario(Box::new(scenario)));
                Reading::Read
            }
            Err(error) => Reading::Wrong(wrong(&self.text, &error)),
        };
    }

    /// The bench has another host, or has had one while the pane was closed. A text follows the knobs, and keeps its comments; one that
    /// is not read yet keeps all that was written, and takes what was turned since. A text that is wrong takes it when it is right.
    fn follow(&mut self, now: &Rc<Scenario>) {
        match (&self.read, &self.agreed) {
            (Reading::Awaited, _) => self.take_turns(now),
            (Reading::Wrong(_), _) => {}
            (Reading::Read, Some(was)) if was == now => {}
            (Reading::Read, Some(was)) => match followed(&self.text, was, now) {
                Some(text) => (self.text, self.agreed) = (text, Some(now.clone())),
                None => self.show_bench(now),
            },
            (Reading::Nothing | Reading::Read, _) => self.show_bench(now),
        }
    }

    /// Takes into the text what was turned on the bench since both were the same, if the text is a host.
    fn take_turns(&mut self, now: &Rc<Scenario>) {
        let text = self.agreed.as_ref().filter(|was| *was != now).and_then(|was| merged(&self.text, was, now));
        if let Some(text) = text {
            (self.text, self.agreed) = (text, Some(now.clone()));
        }
    }

    /// The text is that of the bench.
    fn show_bench(&mut self, now: &Rc<Scenario>) {
        (self.text, self.read, self.agreed) = (text(now), Reading::Read, Some(now.clone()));
    }

    fn problems(&self) -> &[Wrong] {
        match &self.read {
            Reading::Wrong(problems) => problems,
            Reading::Nothing | Reading::Awaited | Reading::Read => &[],
        }
    }

    /// What the line of the caret is about. The editor completes names by itself.
    fn explained(&self, ctx: &Context<Editor>) -> Html {
        let proposal = |one: &Described| {
            let line = one.line.clone();
            let take = ctx.link().callback(move |_: MouseEvent| Happened::Took(line.clone()));
            html! { <li><button type="button" class="plain" onclick={take}>{ &one.line }</button>{ " " }{ &one.said }</li> }
        };
        match about(&self.text, self.line) {
            About::Field(field) => html! { <p class="help"><strong>{ field.said }</strong>{ ". " }{ field.help }</p> },
            About::Begun(fields) if self.code.is_none() => {
                html! { <ul class="help">{ for fields.iter().map(proposal) }</ul> }
            }
            About::Begun(_) | About::Nothing => Html::default(),
        }
    }

    /// What is wrong, each at its line.
    fn said(&self, ctx: &Context<Editor>) -> Html {
        let problems = self.problems();
        if problems.is_empty() {
            return html! { <p class="help">{ "TOML, as the command line reads it. What you change here acts on the bench at once." }</p> };
        }
        let line = |problem: &Wrong| {
            let Some(number) = problem.line else { return html! { <li>{ &problem.said }</li> } };
            let show = ctx.link().callback(move |_: MouseEvent| Happened::Sought(number));
            html! { <li><button type="button" class="plain" onclick={show}>{ format!("Line {number}") }</button>{ " " }{ &problem.said }</li> }
        };
        html! {
            <>
                <ul class="problem">{ for problems.iter().map(line) }</ul>
                <p class="help">
                    { "The bench stays as it was until the text is right. " }
                    <button type="button" class="plain" onclick={ctx.link().callback(|_: MouseEvent| Happened::Discarded)}>{ "Back to the bench’s text" }</button>
                </p>
            </>
        }
    }

    /// Why the editor is missing. What its keys do it says itself.
    fn lost(&self, ctx: &Context<Editor>) -> Html {
        let Surface::Lost(why) = &self.surface else { return Html::default() };
        html! {
            <p class="help" role="status">
                { format!("The editor with colours cannot be loaded: {why}. This field does the same work, and nothing is lost. ") }
                <button type="button" class="plain" onclick={ctx.link().callback(|_: MouseEvent| Happened::Asked)}>{ "Try again" }</button>
            </p>
        }
    }
}

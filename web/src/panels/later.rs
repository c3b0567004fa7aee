//! Parts of the page that are drawn in a task of their own, after the one that changed them. What a reader looks at first is then on
//! the screen sooner, and no task is long.

use gloo_timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::page::{self, window};

/// How long parts may wait for something that a reader looks at first, in milliseconds of wall time.
pub const LET_PASS_MS: u32 = 150;

/// The data of such a part.
#[derive(Clone, Properties)]
pub struct LaterProps {
    /// What is drawn.
    #[prop_or_default]
    pub children: Html,
    /// What is drawn behind it, and made only then.
    #[prop_or_default]
    pub made: Option<Callback<(), Html>>,
    /// How long it waits, in milliseconds of wall time.
    #[prop_or_default]
    pub wait_ms: u32,
    /// Whether nobody sees it who has done nothing yet. Then it waits until a reader is there, and so does the code that draws it.
    #[prop_or_default]
    pub for_reader: bool,
}

impl LaterProps {
    fn drawn(&self) -> Html {
        match &self.made {
            Some(made) => html! { <>{ self.children.clone() }{ made.emit(()) }</> },
            None => self.children.clone(),
        }
    }
}

/// Each is another: what changed in it is found when it is drawn.
impl PartialEq for LaterProps {
    fn eq(&self, _: &LaterProps) -> bool {
        false
    }
}

/// The part, as it was when its task came last.
pub struct Later {
    drawn: Html,
    /// When its task comes, and for how long it was to wait.
    due: Option<(Timeout, u32)>,
    waits_for_reader: bool,
}

impl Later {
    /// Asks for a task, unless one is to come that need not come sooner: it draws what is wanted by then.
    fn ask(&mut self, ctx: &Context<Later>) {
        let (link, wait_ms) = (ctx.link().clone(), ctx.props().wait_ms);
        if ctx.props().for_reader
            && let Some(reader) = page::reader()
        {
            if !self.waits_for_reader {
                self.waits_for_reader = true;
                spawn_local(async move {
                    // It has come, or comes when it is needed.
                    let _ = reader.await;
                    link.send_message(());
                });
            }
            return;
        }
        if self.due.as_ref().is_none_or(|(_, waits_ms)| wait_ms < *waits_ms) {
            self.due = Some((Timeout::new(wait_ms, move || link.send_message(())), wait_ms));
        }
    }
}

impl Component for Later {
    type Message = ();
    type Properties = LaterProps;

    fn create(ctx: &Context<Later>) -> Later {
        // The first screen is drawn when the site is built, at once.
        if window().is_none() {
            let drawn = if ctx.props().for_reader { Html::default() } else { ctx.props().drawn() };
            return Later { drawn, due: None, waits_for_reader: false };
        }
        let mut later = Later { drawn: Html::default(), due: None, waits_for_reader: false };
        later.ask(ctx);
        later
    }

    fn changed(&mut self, ctx: &Context<Later>, _: &LaterProps) -> bool {
        self.ask(ctx);
        false
    }

    fn update(&mut self, ctx: &Context<Later>, (): ()) -> bool {
        self.due = None;
        self.drawn = ctx.props().drawn();
        true
    }

    fn view(&self, _: &Context<Later>) -> Html {
        self.drawn.clone()
    }
}
